import type { AuthBackend } from './auth-backend.ts';
import type { AuthSettings } from './auth-settings.ts';
import {
  callerAuthOver,
  resourceOf,
  type CallerAuth,
  type CallerAuthDependencies,
} from './caller-auth.ts';
import { GATEWAY_SCOPES } from './tokens/scopes.ts';

/** Creates the verification of tokens of the configured issuers. Rejects when a secret cannot be read. */
export const resourceServerBackend = async (
  { issuers, allowPrivate }: AuthSettings,
  dependencies: CallerAuthDependencies,
  resource: string,
): Promise<AuthBackend> => {
  const { readSecret, now = Date.now, onUnavailable = () => undefined, onIdToken } = dependencies;
  // Loaded in this mode only: it takes time that other modes need not spend at their start.
  const { createResourceServer, ForwardedTokens } = await import('./resource-server/index.ts');
  const forwarded = new ForwardedTokens({
    ...{ issuers, now },
    onChanged: (principal) => void onIdToken?.(principal),
  });
  const verifier = await createResourceServer({
    ...{ issuers, resource, allowPrivate, readSecret, forwarded, now, onUnavailable },
  });
  return {
    verifier,
    idTokens: forwarded,
    authorizationServers: issuers.map(({ issuer }) => issuer),
    scopes: GATEWAY_SCOPES.filter((scope) => issuers.some(({ scopes }) => scopes.includes(scope))),
  };
};

/**
 * Creates the sign-in of callers of mode `resource-server`, for programs without the broker and its libraries. Rejects when a secret cannot
 * be read. Issuers that do not answer delay nothing.
 */
export const createResourceServerAuth = async (
  settings: AuthSettings,
  dependencies: CallerAuthDependencies,
): Promise<CallerAuth> => {
  const resource = settings.resource ?? resourceOf(dependencies.publicUrl);
  const backend = await resourceServerBackend(settings, dependencies, resource);
  return callerAuthOver(backend, dependencies, resource);
};
