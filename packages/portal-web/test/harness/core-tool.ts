import type { JsonObject } from '@gateway/call-contract';
import { createMcpClient } from '../../src/mcp/mcp-client.ts';
import { callCoreTool } from '../../src/mcp/meta-tools.ts';

/** Calls a tool of a gateway that requires no sign-in. Rejects with the sentence of the gateway. */
export const callGateway = (
  gatewayUrl: string,
  name: string,
  args: JsonObject = {},
): Promise<JsonObject> =>
  callCoreTool(
    createMcpClient((init) => fetch(`${gatewayUrl}/mcp`, init)),
    name,
    args,
  );
