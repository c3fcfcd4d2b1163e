import type { Principal } from '@gateway/call-contract';
import { authStrategyOf } from '@gateway/crd-schemas';
import type { McpServer } from '@gateway/crd-schemas';
import type { ServerCredentials } from '../ports/credentials.ts';
import type { ServerSignIn } from '../ports/sign-in-outcome.ts';
import type { Binding } from '../tokens/token-records.ts';
import { furtherScopes } from '../challenge/scope-set.ts';
import { ENDED } from './reasons.ts';

/** The sources that a status is made of. */
export interface StatusDependencies {
  readonly servers: () => readonly McpServer[];
  readonly credentials: Pick<ServerCredentials, 'kindOf' | 'current'>;
  /** Returns the stored sign-in; `undefined` also while the store does not answer. */
  readonly bindingOf: (server: McpServer, principal: Principal) => Promise<Binding | undefined>;
}

const statusOf = async (
  { credentials, bindingOf }: StatusDependencies,
  server: McpServer,
  principal: Principal,
): Promise<ServerSignIn | undefined> => {
  const kind = credentials.kindOf(server);
  if (kind === 'shared') return undefined;
  const { name } = server.metadata;
  const outcome = await credentials.current(server, principal);
  const result = outcome.ok
    ? { status: 'signed-in' as const }
    : { status: outcome.code, reason: outcome.reason };
  if (kind === 'sso') {
    const isExchanged =
      server.spec.type !== 'stdio' && authStrategyOf(server.spec.auth).kind === 'tokenExchange';
    const way = isExchanged ? { tokenExchange: true } : { tokenForwarding: true };
    return { server: name, kind, ...result, ...way };
  }
  const binding = await bindingOf(server, principal);
  if (binding === undefined) return { server: name, kind, ...result };
  const { issuer, scope, pendingScope } = binding;
  const again =
    outcome.ok && pendingScope !== undefined
      ? {
          status: 'sign-in-again' as const,
          reason: ENDED.scopes(name, furtherScopes(scope, pendingScope)),
        }
      : result;
  return { server: name, kind, ...again, issuer, ...(scope !== '' && { scope }) };
};

/** Returns the sign-in of a person to each server that signs persons in, in the order of the servers. Never rejects. */
export const signInStatus = async (
  dependencies: StatusDependencies,
  principal: Principal,
): Promise<readonly ServerSignIn[]> => {
  const all = dependencies.servers().map((server) => statusOf(dependencies, server, principal));
  return (await Promise.all(all)).filter((one) => one !== undefined);
};
