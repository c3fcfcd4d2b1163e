import type { StateKey, StateStore } from '@gateway/state-store';
import { parseJson } from '../storage/parse-json.ts';
import { parseBinding, parseGrants } from './token-records.ts';
import type { Binding, Grant } from './token-records.ts';

/** Lifetime of unused tokens and sign-ins. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** One person and one server. */
export interface PersonAtServer {
  readonly principalKey: string;
  readonly server: string;
}

/** The stored tokens of persons. Methods reject with failures of the store. */
export interface TokenVault {
  binding(of: PersonAtServer): Promise<Binding | undefined>;
  setBinding(of: PersonAtServer, binding: Binding): Promise<void>;
  deleteBinding(of: PersonAtServer): Promise<void>;
  /** Returns the grants of a person at an issuer, the newest first. */
  grants(principalKey: string, issuer: string): Promise<readonly Grant[]>;
  setGrants(principalKey: string, issuer: string, grants: readonly Grant[]): Promise<void>;
}

const bindingKey = ({ principalKey, server }: PersonAtServer): StateKey => [
  'sign-in',
  principalKey,
  server,
];
const grantsKey = (principalKey: string, issuer: string): StateKey => [
  'tokens',
  principalKey,
  issuer,
];

/** The secret of a client that the operator registered is read from its source, and is not stored. */
const storedGrant = (grant: Grant): Grant => {
  const { clientId, kind, method } = grant.client;
  return kind === 'pre-registered' ? { ...grant, client: { clientId, kind, method } } : grant;
};

/** Creates the vault. */
export const createTokenVault = (store: StateStore): TokenVault => ({
  binding: async (of) => parseBinding(parseJson(await store.get(bindingKey(of)))),
  setBinding: (of, binding) =>
    store.set(bindingKey(of), JSON.stringify(binding), { ttlMs: KEPT_MS }),
  deleteBinding: (of) => store.delete(bindingKey(of)),
  grants: async (principalKey, issuer) =>
    parseGrants(parseJson(await store.get(grantsKey(principalKey, issuer)))),
  setGrants: (principalKey, issuer, grants) =>
    grants.length === 0
      ? store.delete(grantsKey(principalKey, issuer))
      : store.set(grantsKey(principalKey, issuer), JSON.stringify(grants.map(storedGrant)), {
          ttlMs: KEPT_MS,
        }),
});
