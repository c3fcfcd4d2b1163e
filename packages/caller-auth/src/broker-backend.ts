import type { Principal } from '@gateway/call-contract';
import type { StateStore } from '@gateway/state-store';
import type { AuthBackend } from './auth-backend.ts';
import type { AuthSettings } from './auth-settings.ts';
import type { CallerSignInObserver } from './sign-in-fact.ts';

/** The dependencies of mode `broker` alone. */
export interface BrokerDependencies {
  readonly store: StateStore;
  /** Returns the audiences that downstream servers require of ID tokens at this moment. */
  readonly requiredAudiences: () => readonly string[];
  /** Path of this gateway at which persons continue after they signed a browser in to it. */
  readonly returnPath: string;
  /** Called with one line about a failure, without values of requests. */
  readonly onFailure: (line: string) => void;
}

/** The dependencies that all modes have. */
interface SharedDependencies {
  readonly publicUrl: URL;
  readonly readSecret: (file: string) => Promise<string>;
  readonly now?: () => number;
  readonly observe?: CallerSignInObserver;
  readonly onIdToken?: (principal: Principal) => Promise<void>;
  readonly broker?: BrokerDependencies;
}

/** Creates the authorization server of mode `broker`. Rejects when the store or a secret cannot be read. */
export const brokerBackend = async (
  { broker: settings, adminGroups, allowPrivate }: AuthSettings,
  { broker, publicUrl, readSecret, observe, onIdToken, now = Date.now }: SharedDependencies,
  resource: string,
): Promise<AuthBackend> => {
  if (settings === undefined || broker === undefined)
    throw new Error('auth.broker is required for auth.mode: broker');
  // Loaded in this mode only: it takes time that other modes need not spend at their start.
  const { createBroker } = await import('./broker/create-broker.ts');
  return createBroker({
    ...{ settings, publicUrl, resource, adminGroups, allowPrivate, readSecret, now },
    ...broker,
    ...(observe && { observe }),
    ...(onIdToken !== undefined && { onSignedIn: onIdToken }),
  });
};
