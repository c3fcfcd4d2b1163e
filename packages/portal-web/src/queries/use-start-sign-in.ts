import { useQueryClient } from '@tanstack/react-query';
import type { StartSignIn } from '@gateway/portal-ui';
import { useBackend } from '../backend/backend-context.ts';
import { callForResult, GatewayError } from '../mcp/meta-tools.ts';
import { isJsonObject, type JsonObject } from '../mcp/mcp-outcome.ts';
import { CATALOG_KEY } from './use-catalog.ts';
import { watchSignIn } from './watch-sign-in.ts';

const textOf = ({ content }: JsonObject): string => {
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  const text = isJsonObject(first) ? first['text'] : undefined;
  return typeof text === 'string' ? text : '';
};

const addressOf = ({ structuredContent }: JsonObject): string | undefined => {
  const url = isJsonObject(structuredContent) ? structuredContent['authUrl'] : undefined;
  return typeof url === 'string' ? url : undefined;
};

/** Returns the function that starts the sign-in to a server. The catalog is read again until the person has signed in. @spec §4.2 */
export const useStartSignIn = (): StartSignIn => {
  const { gateway } = useBackend();
  const queries = useQueryClient();
  return async (server) => {
    const call = { name: 'core_auth_login', arguments: { server } };
    // Without the capability for links, the gateway returns the link as the result.
    const result = await callForResult(gateway, 'call_tool', call, { capabilities: {} });
    const message = textOf(result);
    if (result['isError'] === true) throw new GatewayError(200, message);
    const url = addressOf(result);
    if (url === undefined) void queries.invalidateQueries({ queryKey: [CATALOG_KEY] });
    else watchSignIn(queries, server);
    return { message, ...(url !== undefined && { url }) };
  };
};
