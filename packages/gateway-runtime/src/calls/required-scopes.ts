import { ADMIN_SCOPE } from '@gateway/caller-auth';
import type { JsonObject } from '@gateway/call-contract';
import type { Expose } from '@gateway/gateway-config';
import type { MissingScopes, ServiceCall } from '@gateway/mcp-http';

/**
 * Returns the scopes that a call needs and its principal lacks: a call of a core tool that writes needs `mcp:admin`, also through
 * `call_tool`.
 */
export function missingScopes(
  exposed: Expose,
  { method, params }: ServiceCall,
  refusalOf: (tool: string) => string | undefined,
): MissingScopes | undefined {
  const name = method === 'tools/call' ? calledTool(exposed, params) : undefined;
  const sentence = name === undefined ? undefined : refusalOf(name);
  return sentence === undefined ? undefined : { scopes: [ADMIN_SCOPE], sentence };
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
