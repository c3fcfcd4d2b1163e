import { endpointOf } from '../client/endpoint.ts';
import { withGateway, type GatewayClient, type ToolResult } from '../client/gateway-client.ts';
import { textOf, valueOf } from '../client/result-text.ts';
import type { CliIo } from '../cli-io.ts';
import { CommandFailure } from '../failure.ts';
import { fieldsOf } from '../output/json-fields.ts';
import { accessTokenFor } from '../sign-in/access-token.ts';
import { SignInStore } from '../sign-in/sign-in-store.ts';
import { escapeToLines } from '@gateway/service-host';
import type { ClientArguments } from '../arguments/client-arguments.ts';

/** Time limit of requests that no server answers, in seconds. */
const ANSWER_SECONDS = 30;

/** The gateway of a command. */
export interface GatewayOptions extends Pick<ClientArguments, 'url' | 'toolset'> {
  readonly io: CliIo;
  /** Ends every request. With it the command has a session of its own. */
  readonly signal?: AbortSignal;
}

/** Connects to the gateway of the options and runs `use` with the client. */
export async function withClient<T>(
  { url, toolset, io, signal }: GatewayOptions,
  use: (gateway: GatewayClient) => Promise<T>,
): Promise<T> {
  const endpoint = endpointOf(url);
  if (!endpoint.ok) throw new CommandFailure('refused', `--url: ${endpoint.text}`);
  const store = new SignInStore(io.env);
  const accessToken = (): Promise<string | undefined> => accessTokenFor(store, endpoint.url.href);
  const address = { url: endpoint.url, toolset, accessToken };
  const { sessions } = io;
  if (signal !== undefined)
    return withGateway({ ...address, signal }, (gateway) => use(interruptible(gateway, signal)));
  if (sessions === undefined) return withGateway(address, use);
  const interrupted = io.interrupted();
  return sessions.run(address, (gateway) => use(interruptible(gateway, interrupted)));
}

/** Ends every request with the command: a command in a kept session does not end the process. */
const interruptible = (gateway: GatewayClient, signal: AbortSignal): GatewayClient => ({
  ...gateway,
  call: (tool, args, options) => gateway.call(tool, args, { signal, ...options }),
  ping: () => gateway.ping(signal),
});

/** Returns the result. Throws when the result is an error. */
export function requireSuccess(result: ToolResult): ToolResult {
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
export async function callMetaTool(
  gateway: GatewayClient,
  tool: string,
  args: object,
): Promise<unknown> {
  return valueOf(
    requireSuccess(await gateway.call(tool, args, { timeoutSeconds: ANSWER_SECONDS })),
  );
}

/** Calls a core tool and returns its result. */
export async function callCoreTool(
  gateway: GatewayClient,
  name: string,
  args: object,
): Promise<ToolResult> {
  const call = { name, arguments: args };
  return requireSuccess(await gateway.call('call_tool', call, { timeoutSeconds: ANSWER_SECONDS }));
}
