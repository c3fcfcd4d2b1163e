import type { AuthBackend } from './auth-backend.ts';
import type { AuthSettings } from './auth-settings.ts';
import {
  type CallerAuth,
  type CallerAuthDependencies,
  createAuth,
  createResourceServerBackend,
  resolveResource,
} from './create-resource-server-auth.ts';

/** Creates the authorization server of mode `broker`. Rejects when the store or a secret cannot be read. */
const createBrokerBackend = async (
  { broker: settings, adminGroups, allowPrivate }: AuthSettings,
  { broker, publicUrl, readSecret, observe, onIdToken, now = Date.now }: CallerAuthDependencies,
  resource: string,
): Promise<AuthBackend> => {
  if (settings === undefined || broker === undefined)
    throw new Error('auth.broker is required for auth.mode: broker');
  // Loaded in this mode only: it takes time that other modes need not spend at their start.
  const { createBroker } = await import('./broker/create-broker.ts');
  return createBroker({
    settings,
    publicUrl,
    resource,
    adminGroups,
    allowPrivate,
    readSecret,
    now,
    ...broker,
    ...(observe && { observe }),
    ...(onIdToken !== undefined && { onSignedIn: onIdToken }),
  });
};

/**
 * Creates the sign-in of callers; `undefined` in mode `none`. Rejects when a secret cannot be read, and with the reasons of the broker.
 * Issuers that do not answer delay nothing.
 */
export const createCallerAuth = async (
  settings: AuthSettings,
  dependencies: CallerAuthDependencies,
): Promise<CallerAuth | undefined> => {
  const resource = settings.resource ?? resolveResource(dependencies.publicUrl);
  const backend = await createBackend(settings, dependencies, resource);
  return backend && createAuth(backend, dependencies, resource);
};

const createBackend = (
  settings: AuthSettings,
  dependencies: CallerAuthDependencies,
  resource: string,
): Promise<AuthBackend | undefined> => {
  switch (settings.mode) {
    case 'none':
      return Promise.resolve(undefined);
    case 'resource-server':
      return createResourceServerBackend(settings, dependencies, resource);
    case 'broker':
      return createBrokerBackend(settings, dependencies, resource);
  }
};
