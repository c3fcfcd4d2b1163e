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
const OF_GRANT = new Set(['AccessToken', 'AuthorizationCode', 'DeviceCode', 'RefreshToken']);

/** Models that end when the user signs out. */
const OF_ACCOUNT = new Set(['Grant', 'Session']);

/** Lifetime of a model that names none, in milliseconds. */
const DEFAULT_MS = 10 * 60_000;

const modelKey = (model: string, id: string): StateKey => ['broker-model', model, id];
const uidKey = (uid: string): StateKey => ['broker-session-uid', uid];
const userCodeKey = (code: string): StateKey => ['broker-user-code', code];
const grantGroup = (grantId: string): StateKey => ['broker-of-grant', grantId];

/** The group of everything that ends when a user signs out of the gateway. */
export const toAccountGroup = (accountId: string): StateKey => ['broker-of-account', accountId];

/** The key of a client that registered itself. */
export const toClientKey = (clientId: string): StateKey => modelKey('Client', clientId);

const findGroup = (model: string, { grantId, accountId }: AdapterPayload): StateKey | undefined => {
  if (OF_GRANT.has(model) && grantId !== undefined) return grantGroup(grantId);
  return OF_ACCOUNT.has(model) && accountId !== undefined ? toAccountGroup(accountId) : undefined;
};

/** Ends a grant with all of its tokens. */
const endGrant = async (store: StateStore, grantId: string): Promise<void> => {
  await store.delete(modelKey('Grant', grantId));
  await store.deleteGroup(grantGroup(grantId));
};

const read = async (store: StateStore, key: StateKey): Promise<AdapterPayload | undefined> => {
  const stored = await store.get(key);
  return stored === undefined ? undefined : (JSON.parse(stored) as AdapterPayload);
};

const readIndexed = async (
  { store }: ModelStorage,
  index: StateKey,
  model: string,
): Promise<AdapterPayload | undefined> => {
  const id = await store.get(index);
  return id === undefined ? undefined : read(store, modelKey(model, id));
};

const write = async (
  { store, newClientMs }: ModelStorage,
  { model, id, payload, seconds }: WrittenModel,
): Promise<void> => {
  const ttlMs =
    seconds === undefined ? (model === 'Client' ? newClientMs : DEFAULT_MS) : seconds * 1000;
  if (ttlMs <= 0) return;
  const group = findGroup(model, payload);
  if (model === 'Session' && payload.uid !== undefined)
    await store.set(uidKey(payload.uid), id, { ttlMs });
  if (payload.userCode !== undefined) await store.set(userCodeKey(payload.userCode), id, { ttlMs });
  const value = JSON.stringify(payload);
  await store.set(modelKey(model, id), value, { ttlMs, ...(group === undefined ? {} : { group }) });
};

interface WrittenModel {
  readonly model: string;
  readonly id: string;
  readonly payload: AdapterPayload;
  /** Lifetime; absent for models without one. */
  readonly seconds: number | undefined;
}

/**
 * Marks a code or a refresh token as used. Of several uses at the same time, in any process, one succeeds; each further one ends the
 * grant, because one of the users is not the client.
 */
const consume = async (storage: ModelStorage, model: string, id: string): Promise<void> => {
  const { store, now } = storage;
  const payload = await read(store, modelKey(model, id));
  const exp = payload?.exp ?? now() / 1000;
  const ttlMs = Math.max(1000, exp * 1000 - now());
  const isFirst = await store.add(['broker-consumed', model, id], '1', { ttlMs });
  if (payload === undefined || !isFirst) {
    if (payload?.grantId !== undefined) await endGrant(store, payload.grantId);
    throw new errors.InvalidGrant('already used');
  }
  const consumed = Math.floor(now() / 1000);
  await write(storage, { model, id, payload: { ...payload, consumed }, seconds: ttlMs / 1000 });
};

/** A store that fails ends a request with 503 and one sentence, which clients may retry. */
const reportTemporary = async <T>(work: Promise<T>): Promise<T> => {
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
        reportTemporary(write(storage, { model, id, payload, seconds })),
      find: (id) => reportTemporary(read(store, modelKey(model, id))),
      findByUid: (uid) => reportTemporary(readIndexed(storage, uidKey(uid), model)),
      findByUserCode: (code) => reportTemporary(readIndexed(storage, userCodeKey(code), model)),
      consume: (id) => reportTemporary(consume(storage, model, id)),
      destroy: (id) => reportTemporary(store.delete(modelKey(model, id))),
      revokeByGrantId: (grantId) => reportTemporary(store.deleteGroup(grantGroup(grantId))),
    };
  };
