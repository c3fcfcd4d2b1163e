import { type CommandResult, escapeToLine, escapeToLines } from '@gateway/service-host';
import { setTimeout as pause } from 'node:timers/promises';
import type { CliIo, CliOutput } from '../cli-io.ts';
import { CommandFailure, type Outage, TemporaryFailure } from '../failure.ts';
import { fieldsOf } from '../output/json-fields.ts';
import { accessTokenFor } from '../sign-in/access-token.ts';
import { SignInStore } from '../sign-in/sign-in-store.ts';
import { endpointOf } from './endpoint.ts';
import { type GatewayClient, type ToolResult, withGateway } from './gateway-client.ts';

/** Format of a result. */
export type OutputFormat = 'text' | 'json';

/** Arguments of every command that sends requests to a running gateway. */
export interface ClientArguments {
  readonly url: string;
  readonly output: OutputFormat;
  readonly toolset?: string;
}

/** Arguments of a command that calls a tool. */
export interface CallArguments extends ClientArguments {
  readonly json?: string;
  readonly timeout: number;
}

/** Arguments of `gateway tools list`. */
export interface ListToolsArguments extends ClientArguments {
  readonly query?: string;
  readonly pattern?: string;
  readonly limit?: number;
}

/** Arguments of `gateway events`. */
export interface EventsArguments extends ClientArguments {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly type?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly follow?: boolean;
}

/** Returns the text of a result, one line per item. */
export const textOf = ({ content }: ToolResult): string =>
  content.map(({ text }) => text ?? '').join('\n');

/** Returns the structured content of a result, else its text parsed as JSON, else nothing. */
export function valueOf(result: ToolResult): unknown {
  if (result.structuredContent !== undefined) return result.structuredContent;
  try {
    return JSON.parse(textOf(result)) as unknown;
  } catch {
    return undefined;
  }
}

/** Time limit of requests that no server answers, in seconds. */
const ANSWER_SECONDS = 30;

/** The gateway of a command. */
interface GatewayOptions extends Pick<ClientArguments, 'url' | 'toolset'> {
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

/** Pauses between attempts to reach a gateway again, in milliseconds: each is twice the one before, up to the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;

/** A session of a command that follows. */
export interface FollowedSession {
  readonly gateway: GatewayClient;
  /** Aborted by Ctrl+C. */
  readonly interrupted: AbortSignal;
  /** Reports that the gateway has answered: from then on the command waits for it when it is away. */
  readonly onAnswer: () => void;
}

/**
 * Runs `follow` in a session until Ctrl+C. After the first answer, a failure that is temporary does not end the command: it writes a line to
 * stderr and runs `follow` in a new session when the gateway is back. @throws CommandFailure
 */
export async function followGateway(
  options: Omit<GatewayOptions, 'signal'>,
  follow: (session: FollowedSession) => Promise<void>,
): Promise<CommandResult> {
  const interrupted = options.io.interrupted();
  const isInterrupted = (): boolean => interrupted.aborted;
  const reconnection = new Reconnection(options.io.stderr);
  const onAnswer = (): void => {
    reconnection.succeed();
  };
  while (!isInterrupted()) {
    try {
      await withClient({ ...options, signal: interrupted }, (gateway) =>
        follow({ gateway, interrupted, onAnswer }),
      );
    } catch (error) {
      if (isInterrupted()) break;
      const milliseconds = reconnection.pauseAfter(error);
      await pause(milliseconds, undefined, { signal: interrupted }).catch(() => undefined);
    }
  }
  return 'succeeded';
}

/** The outage that a command waits for, if any, and the lines about it. */
class Reconnection {
  readonly #stderr: CliOutput;
  #hasAnswered = false;
  #outage: Outage | undefined;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(stderr: CliOutput) {
    this.#stderr = stderr;
  }

  succeed(): void {
    this.#hasAnswered = true;
    if (this.#outage !== undefined) this.#write(`${this.#outage.subject} is available again`);
    this.#outage = undefined;
    this.#pauseMs = FIRST_PAUSE_MS;
  }

  /** Returns the time until the next attempt, in milliseconds. Throws a failure that ends the command. */
  pauseAfter(error: unknown): number {
    if (!this.#hasAnswered || !(error instanceof TemporaryFailure)) throw error;
    const { subject, reason } = error.outage;
    // Another thing may be missing once the first one is back.
    if (subject !== this.#outage?.subject)
      this.#write(`${subject} is not available (${reason}); waiting for it until Ctrl+C`);
    this.#outage = error.outage;
    const milliseconds = this.#pauseMs;
    this.#pauseMs = Math.min(2 * milliseconds, LONGEST_PAUSE_MS);
    return milliseconds;
  }

  #write(text: string): void {
    this.#stderr.write(`gateway: ${escapeToLine(text)}\n`);
  }
}
