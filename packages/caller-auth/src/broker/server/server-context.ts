import type { Principal } from '@gateway/call-contract';
import type { StateStore } from '@gateway/state-store';
import type { ClientDocuments } from '../clients/client-documents.ts';
import type { BrokerKeys } from '../keys/broker-keys.ts';
import type { BrokerSettings } from '../settings/broker-settings.ts';
import type { Accounts } from '../upstream/account.ts';
import type { UpstreamSessions } from '../upstream/id-tokens.ts';
import type { CallerSignInObserver } from '../../sign-in-fact.ts';
import type { UpstreamProvider } from '../upstream/upstream-provider.ts';

/** Dependencies of the parts of the authorization server. */
export interface ServerContext {
  readonly settings: BrokerSettings;
  /** URL of the gateway, without a path; the issuer of the authorization server is the same text. */
  readonly publicUrl: URL;
  readonly issuer: string;
  /** Identifier of the gateway as a resource (RFC 8707). */
  readonly resource: string;
  readonly adminGroups: readonly string[];
  readonly store: StateStore;
  readonly keys: BrokerKeys;
  readonly accounts: Accounts;
  readonly upstream: UpstreamProvider;
  readonly sessions: UpstreamSessions;
  readonly documents: ClientDocuments;
  /** Where a browser continues after it was signed in to the gateway. */
  readonly returnUri: string;
  /** Returns the audiences that downstream servers require of ID tokens at this moment. */
  readonly requiredAudiences: () => readonly string[];
  readonly now: () => number;
  /** Called with one line about a failure, without values of requests. */
  readonly onFailure: (line: string) => void;
  readonly observe: CallerSignInObserver;
  /** Called after a person signed in, before the browser continues. Never rejects. */
  readonly onSignedIn: (principal: Principal) => Promise<void>;
}
