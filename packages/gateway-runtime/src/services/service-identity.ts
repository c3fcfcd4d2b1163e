import { GATEWAY_VERSION } from '@gateway/gateway-config';
import { TOOLSET_HEADER } from '@gateway/toolset-grammar';

/** Name and version of the gateway in the answer to `initialize`. */
export const SERVICE_INFO = {
  name: 'gateway',
  title: 'MCP gateway',
  version: GATEWAY_VERSION,
} as const;

/** The key of the toolset header among the headers of a request, which are in lower case. @spec §4.1 */
export const TOOLSET_HEADER_KEY = TOOLSET_HEADER.toLowerCase();
