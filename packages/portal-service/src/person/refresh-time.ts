/** Milliseconds in which the provider must answer one request. */
export const PROVIDER_REQUEST_MS = 10_000;

/** A refresh reads the metadata of the provider when it does not know them, and requests tokens. */
const REQUESTS = 2;

/** Milliseconds for the store, whose operations end within two seconds each. */
const STORE_MS = 10_000;

/**
 * Milliseconds after which a replica that ended during a refresh no longer blocks the others. No refresh takes longer: two at the same
 * time would use a refresh token twice.
 */
export const LOCK_MS = REQUESTS * PROVIDER_REQUEST_MS + STORE_MS;
