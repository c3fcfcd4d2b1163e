import type { StateStore } from '@gateway/state-store';
import type { ClientRequest, Clients } from '../clients/identify-client.ts';
import type { AuthorizationServerMetadata } from '../discovery/metadata.ts';
import type { Discovery } from '../discovery/discovery.ts';
import type { GuardedFetches } from '../discovery/guarded-fetches.ts';
import type { CredentialChange } from '../ports/credentials.ts';
import type { ServerSignInObserver } from '../ports/sign-in-fact.ts';
import type { SignInLog } from '../ports/sign-in-log.ts';
import type { KeyedLock } from '../storage/keyed-lock.ts';
import { issuerUrls } from './issuer-urls.ts';
import { operatorUrls } from './person.ts';
import type { Person } from './person.ts';
import type { SignInUrls } from './sign-in-urls.ts';
import type { TokenVault } from '../tokens/token-vault.ts';

/** The dependencies of sign-in. */
export interface SignInContext {
  readonly store: StateStore;
  readonly vault: TokenVault;
  readonly lock: KeyedLock;
  readonly clients: Clients;
  readonly discovery: Discovery;
  readonly fetches: GuardedFetches;
  readonly clock: () => number;
  readonly log: SignInLog;
  readonly observe: ServerSignInObserver;
  /** Returns the URLs; `undefined` when the gateway has no URL for browsers. */
  readonly urls: () => Promise<SignInUrls | undefined>;
  /** Reports a change to every process. */
  readonly announce: (change: CredentialChange) => Promise<void>;
}

/** Returns the request for the client of the gateway at the issuer of a server. */
export const clientRequest = (
  { fetches }: SignInContext,
  urls: SignInUrls,
  {
    metadata,
    person,
  }: {
    readonly metadata: AuthorizationServerMetadata;
    readonly person: Person;
  },
): ClientRequest => ({
  metadata,
  redirectUri: issuerUrls(urls, metadata.issuer).callback,
  documentUrl: issuerUrls(urls, metadata.issuer).document,
  fetch: fetches.of(operatorUrls(person)),
  ...(person.pinned !== undefined && { pinned: person.pinned }),
});
