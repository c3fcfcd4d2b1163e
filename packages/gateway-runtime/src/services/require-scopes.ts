import { ADMIN_SCOPE, type CallerAuth } from '@gateway/caller-auth';
import type { JsonObject } from '@gateway/call-contract';
import { type Expose, exposureOf } from '@gateway/gateway-config';
import type { McpService } from '@gateway/mcp-http';
import type { Gateway } from '../compose-gateway.ts';

/**
 * Returns the service with the scopes of its calls: a call of a core tool that writes needs `mcp:admin`, also through `call_tool`.
 * Without an issuer that grants the scope, clients are not sent to request it, and the tool answers with its own refusal.
 */
export function requireScopes(
  { service, expose, writeRefusal }: Pick<Gateway, 'service' | 'expose' | 'writeRefusal'>,
  auth: Pick<CallerAuth, 'scopes'> | undefined,
): McpService {
  if (auth?.scopes.includes(ADMIN_SCOPE) !== true) return service;
  const missingScopes: McpService['missingScopes'] = (
    { method, params },
    { principal, header },
  ) => {
    const exposed = exposureOf(expose, header);
    const name = method === 'tools/call' ? calledTool(exposed, params) : undefined;
    const sentence = name === undefined ? undefined : writeRefusal(name, principal);
    return sentence === undefined ? undefined : { scopes: [ADMIN_SCOPE], sentence };
  };
  // The capabilities of a service change with its servers: they are inherited, not copied.
  return Object.assign(Object.create(service) as McpService, { missingScopes });
}

/** Returns the name of the tool that a call runs. */
function calledTool(expose: Expose, params: JsonObject): string | undefined {
  const name = textAt(params, 'name');
  if (expose === 'native' || name !== 'call_tool') return name;
  const args = params['arguments'];
  return typeof args === 'object' && args !== null ? textAt(args as JsonObject, 'name') : undefined;
}

const textAt = (object: JsonObject, key: string): string | undefined => {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === 'string' ? value : undefined;
};
