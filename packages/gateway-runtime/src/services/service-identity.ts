import { TOOLSET_HEADER } from '@gateway/toolset-grammar';
import { GATEWAY_VERSION } from '@gateway/gateway-config';

/** How the gateway introduces itself to clients. */
export const SERVICE_INFO = {
  name: 'gateway',
  title: 'MCP gateway',
  version: GATEWAY_VERSION,
} as const;

/** The name under which a request's toolset is looked up. @spec §4.1 */
export const TOOLSET_LINES = TOOLSET_HEADER.toLowerCase();
