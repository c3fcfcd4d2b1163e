import {
  createPrincipal,
  type Principal,
  type Credential,
  type CredentialChange,
  type CredentialKind,
  type CredentialOutcome,
  type Rejection,
  type ServerCredentials,
} from '@gateway/call-contract';

/** A user of the test. */
export const user = (subject: string): Principal =>
  createPrincipal({ issuer: 'https://issuer.example.com', subject });

/** Credentials in memory: what the test signs users in with. */
export interface TestCredentials extends ServerCredentials {
  /** The kinds of the servers by name; `oauth` unless set. */
  readonly kinds: Map<string, CredentialKind>;
  /** Every rejection that was reported. */
  readonly rejections: (Rejection & { readonly server: string; readonly subject: string })[];
  signIn(server: string, principal: Principal, token: string): void;
  signOut(server: string, principal: Principal): void;
  /** Changes the token without telling anybody, like a refresh. */
  refresh(server: string, principal: Principal, token: string): void;
  /** Returns the outcome of a rejection; the present token unless set. */
  onRejected: ((rejection: Rejection, server: string) => CredentialOutcome) | undefined;
  /** Resolves credentials in a later turn, as from a store. */
  isSlow: boolean;
}

const keyOf = (server: string, { key }: Principal): string => JSON.stringify([server, key]);

const NO_SIGN_IN: CredentialOutcome = {
  ok: false,
  code: 'sign-in-required',
  reason: 'the user has not signed in',
};

export const testCredentials = (): TestCredentials => {
  const tokens = new Map<string, Credential>();
  const listeners = new Set<(change: CredentialChange) => void>();
  const kinds = new Map<string, CredentialKind>();
  const rejections: TestCredentials['rejections'] = [];
  const outcomeOf = (server: string, principal: Principal): CredentialOutcome => {
    const credential = tokens.get(keyOf(server, principal));
    return credential === undefined ? NO_SIGN_IN : { ok: true, credential };
  };
  const keep = (server: string, principal: Principal, token: string): void => {
    tokens.set(keyOf(server, principal), {
      authorization: `Bearer ${token}`,
      id: `id of ${token}`,
    });
  };
  const tell = (server: string, { key: principalKey }: Principal): void => {
    for (const listener of listeners) listener({ server, principalKey });
  };
  const credentials: TestCredentials = {
    kinds,
    rejections,
    onRejected: undefined,
    isSlow: false,
    tokenProblem: () => undefined,
    findKind: ({ metadata }) => kinds.get(metadata.name) ?? 'oauth',
    current: ({ metadata }, principal) => {
      const outcome = outcomeOf(metadata.name, principal);
      return credentials.isSlow ? Promise.resolve(outcome) : outcome;
    },
    renewRejected: ({ metadata }, principal, rejection) => {
      const server = metadata.name;
      rejections.push({ ...rejection, server, subject: principal.subject });
      return Promise.resolve(
        credentials.onRejected?.(rejection, server) ?? outcomeOf(server, principal),
      );
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    signIn(server, principal, token) {
      keep(server, principal, token);
      tell(server, principal);
    },
    signOut(server, principal) {
      tokens.delete(keyOf(server, principal));
      tell(server, principal);
    },
    refresh: keep,
  };
  return credentials;
};
