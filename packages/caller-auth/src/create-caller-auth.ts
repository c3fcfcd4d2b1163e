import type { AuthBackend } from './auth-backend.ts';
import type { AuthSettings } from './auth-settings.ts';
import { brokerBackend } from './broker-backend.ts';
import {
  callerAuthOver,
  resourceOf,
  type CallerAuth,
  type CallerAuthDependencies,
} from './caller-auth.ts';
import { resourceServerBackend } from './create-resource-server-auth.ts';

/**
 * Creates the sign-in of callers; `undefined` in mode `none`. Rejects when a secret cannot be read, and with the reasons of the broker.
 * Issuers that do not answer delay nothing.
 */
export const createCallerAuth = async (
  settings: AuthSettings,
  dependencies: CallerAuthDependencies,
): Promise<CallerAuth | undefined> => {
  const resource = settings.resource ?? resourceOf(dependencies.publicUrl);
  const backend = await backendOf(settings, dependencies, resource);
  return backend && callerAuthOver(backend, dependencies, resource);
};

const backendOf = (
  settings: AuthSettings,
  dependencies: CallerAuthDependencies,
  resource: string,
): Promise<AuthBackend | undefined> => {
  switch (settings.mode) {
    case 'none':
      return Promise.resolve(undefined);
    case 'resource-server':
      return resourceServerBackend(settings, dependencies, resource);
    case 'broker':
      return brokerBackend(settings, dependencies, resource);
  }
};
