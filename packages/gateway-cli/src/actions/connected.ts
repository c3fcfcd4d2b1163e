import { endpointOf } from '../client/endpoint.ts';
import { withGateway, type GatewayClient, type ToolResult } from '../client/gateway-client.ts';
import { textOf, valueOf } from '../client/result-text.ts';
import { CommandFailure } from '../failure.ts';
import { fieldsOf } from '../output/json-fields.ts';
import { escapeToLines } from '@gateway/service-host';
import type { ClientArguments } from '../arguments/client-arguments.ts';

/** Longest wait for answers that no tool of a server is needed for, in seconds. */
const ANSWER_SECONDS = 30;

/** Talks to the gateway that the options name. */
export async function connected<T>(
  { url, toolset }: Pick<ClientArguments, 'url' | 'toolset'>,
  use: (gateway: GatewayClient) => Promise<T>,
): Promise<T> {
  const endpoint = endpointOf(url);
  if (!endpoint.ok) throw new CommandFailure('refused', `--url: ${endpoint.text}`);
  return withGateway({ url: endpoint.url, toolset }, use);
}

/** The result, unless it is a refusal: then its sentence is the failure. */
export function accepted(result: ToolResult): ToolResult {
  if (result.isError === true)
    throw new CommandFailure('failed', escapeToLines(textOf(result)), codeOf(result));
  return result;
}

function codeOf(result: ToolResult): string | undefined {
  const code = fieldsOf(valueOf(result))['code'];
  return typeof code === 'string' ? code : undefined;
}

/** What a meta-tool answers, as a value. */
export async function askedValue(
  gateway: GatewayClient,
  tool: string,
  args: object,
): Promise<unknown> {
  return valueOf(accepted(await gateway.ask(tool, args, { timeoutSeconds: ANSWER_SECONDS })));
}

/** What a core tool answers. */
export async function askedCore(
  gateway: GatewayClient,
  name: string,
  args: object,
): Promise<ToolResult> {
  const call = { name, arguments: args };
  return accepted(await gateway.ask('call_tool', call, { timeoutSeconds: ANSWER_SECONDS }));
}
