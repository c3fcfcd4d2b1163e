import { endpointOf } from '../client/endpoint.ts';
import { withGateway, type GatewayClient, type ToolResult } from '../client/gateway-client.ts';
import { textOf, valueOf } from '../client/result-text.ts';
import { CommandFailure } from '../failure.ts';
import { fieldsOf } from '../output/json-fields.ts';
import { escapeToLines } from '@gateway/service-host';
import type { ClientArguments } from '../arguments/client-arguments.ts';

/** Time limit of requests that no server answers, in seconds. */
const ANSWER_SECONDS = 30;

/** Runs `use` with a client of the gateway that the options name. */
export async function connected<T>(
  { url, toolset }: Pick<ClientArguments, 'url' | 'toolset'>,
  use: (gateway: GatewayClient) => Promise<T>,
): Promise<T> {
  const endpoint = endpointOf(url);
  if (!endpoint.ok) throw new CommandFailure('refused', `--url: ${endpoint.text}`);
  return withGateway({ url: endpoint.url, toolset }, use);
}

/** Returns the result. Throws when it is an error. */
export function accepted(result: ToolResult): ToolResult {
  if (result.isError === true)
    throw new CommandFailure('failed', escapeToLines(textOf(result)), codeOf(result));
  return result;
}

/** Returns the code of an error result. */
function codeOf(result: ToolResult): string | undefined {
  const code = fieldsOf(valueOf(result))['code'];
  return typeof code === 'string' ? code : undefined;
}

/** Calls a meta-tool and returns the value of its result. */
export async function askedValue(
  gateway: GatewayClient,
  tool: string,
  args: object,
): Promise<unknown> {
  return valueOf(accepted(await gateway.ask(tool, args, { timeoutSeconds: ANSWER_SECONDS })));
}

/** Calls a core tool and returns its result. */
export async function askedCore(
  gateway: GatewayClient,
  name: string,
  args: object,
): Promise<ToolResult> {
  const call = { name, arguments: args };
  return accepted(await gateway.ask('call_tool', call, { timeoutSeconds: ANSWER_SECONDS }));
}
