import { type StateKey, type StateStore, StateStoreError } from '@gateway/state-store';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';

/** Dependencies of the adapters of all models. */
interface ModelStorage {
  readonly store: StateStore;
  /** Returns the current time in milliseconds. */
  readonly now: () => number;
  /** Lifetime of a client that registered itself until a user approves it, in milliseconds. */
  readonly newClientMs: number;
}

/** Models that end with their grant. */
const GRANT_MODELS = new Set(['AccessToken', 'AuthorizationCode', 'DeviceCode', 'RefreshToken']);

/** Models that end when the user signs out. */
const ACCOUNT_MODELS = new Set(['Grant', 'Session']);

/** Default lifetime of a model, in milliseconds. */
const DEFAULT_MS = 10 * 60_000;

const toModelKey = (model: string, id: string): StateKey => ['broker-model', model, id];
const toUidKey = (uid: string): StateKey => ['broker-session-uid', uid];
const toUserCodeKey = (code: string): StateKey => ['broker-user-code', code];
const toGrantGroup = (grantId: string): StateKey => ['broker-of-grant', grantId];

/** The group of everything that ends when a user signs out of the gateway. */
export const toAccountGroup = (accountId: string): StateKey => ['broker-of-account', accountId];

/** The key of a client that registered itself. */
export const toClientKey = (clientId: string): StateKey => toModelKey('Client', clientId);

const findGroup = (model: string, { grantId, accountId }: AdapterPayload): StateKey | undefined => {
  if (GRANT_MODELS.has(model) && grantId !== undefined) return toGrantGroup(grantId);
  return ACCOUNT_MODELS.has(model) && accountId !== undefined
    ? toAccountGroup(accountId)
    : undefined;
};

/** Ends a grant with all of its tokens. */
const endGrant = async (store: StateStore, grantId: string): Promise<void> => {
  await store.delete(toModelKey('Grant', grantId));
  await store.deleteGroup(toGrantGroup(grantId));
};

const readModel = async (store: StateStore, key: StateKey): Promise<AdapterPayload | undefined> => {
  const stored = await store.get(key);
  return stored === undefined ? undefined : (JSON.parse(stored) as AdapterPayload);
};

const readIndexed = async (
  { store }: ModelStorage,
  index: StateKey,
  model: string,
): Promise<AdapterPayload | undefined> => {
  const id = await store.get(index);
  return id === undefined ? undefined : readModel(store, toModelKey(model, id));
};

const writeModel = async (
  { store, newClientMs }: ModelStorage,
  { model, id, payload, seconds }: ModelWrite,
): Promise<void> => {
  const ttlMs =
    seconds === undefined ? (model === 'Client' ? newClientMs : DEFAULT_MS) : seconds * 1000;
  if (ttlMs <= 0) return;
  const group = findGroup(model, payload);
  if (model === 'Session' && payload.uid !== undefined)
    await store.set(toUidKey(payload.uid), id, { ttlMs });
  if (payload.userCode !== undefined)
    await store.set(toUserCodeKey(payload.userCode), id, { ttlMs });
  const value = JSON.stringify(payload);
  await store.set(toModelKey(model, id), value, {
    ttlMs,
    ...(group === undefined ? {} : { group }),
  });
};

interface ModelWrite {
  readonly model: string;
  readonly id: string;
  readonly payload: AdapterPayload;
  /** Lifetime; absent for models without one. */
  readonly seconds: number | undefined;
}

/**
 * Marks a code or a refresh token as used. Of concurrent uses, in any process, only the first succeeds. Each further use ends the
 * grant, because the code or token may be stolen.
 */
const consume = async (storage: ModelStorage, model: string, id: string): Promise<void> => {
  const { store, now } = storage;
  const payload = await readModel(store, toModelKey(model, id));
  const exp = payload?.exp ?? now() / 1000;
  const ttlMs = Math.max(1000, exp * 1000 - now());
  const isFirst = await store.add(['broker-consumed', model, id], '1', { ttlMs });
  if (payload === undefined || !isFirst) {
    if (payload?.grantId !== undefined) await endGrant(store, payload.grantId);
    throw new errors.InvalidGrant('already used');
  }
  const consumed = Math.floor(now() / 1000);
  await writeModel(storage, {
    model,
    id,
    payload: { ...payload, consumed },
    seconds: ttlMs / 1000,
  });
};

/** Converts a failure of the store to a 503 error, which clients may retry. */
const reportUnavailable = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StateStoreError)) throw error;
    const failure = new errors.OIDCProviderError(503, 'temporarily_unavailable');
    failure.error_description = 'The state of sign-ins cannot be read or written. Try again later.';
    failure.expose = true;
    throw failure;
  }
};

/** Returns the storage of one model of the authorization server. */
export const createModelAdapter =
  (storage: ModelStorage) =>
  (model: string): Adapter => {
    const { store } = storage;
    return {
      upsert: (id, payload, seconds) =>
        reportUnavailable(writeModel(storage, { model, id, payload, seconds })),
      find: (id) => reportUnavailable(readModel(store, toModelKey(model, id))),
      findByUid: (uid) => reportUnavailable(readIndexed(storage, toUidKey(uid), model)),
      findByUserCode: (code) => reportUnavailable(readIndexed(storage, toUserCodeKey(code), model)),
      consume: (id) => reportUnavailable(consume(storage, model, id)),
      destroy: (id) => reportUnavailable(store.delete(toModelKey(model, id))),
      revokeByGrantId: (grantId) => reportUnavailable(store.deleteGroup(toGrantGroup(grantId))),
    };
  };
