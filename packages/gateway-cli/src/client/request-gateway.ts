import { toObject } from '@gateway/call-contract';
import { type CommandResult, escapeToLine, escapeToLines } from '@gateway/service-host';
import { setTimeout as pause } from 'node:timers/promises';
import type { CliIo } from '../cli-io.ts';
import { parseEndpoint } from '../endpoint.ts';
import { CommandFailure, type Outage, TemporaryFailure } from '../failure.ts';
import { type PrintedResult } from '../json-fields.ts';
import type { OutputFormat } from '../output.ts';
import { findAccessToken } from '../sign-in/access-token.ts';
import { SignInStore } from '../sign-in/sign-in-store.ts';
import { type GatewayClient, SessionPool, openGateway } from './gateway-client.ts';

export interface ClientArguments {
  readonly url: string;
  readonly output: OutputFormat;
  readonly toolset?: string;
}

export const toText = ({ content }: PrintedResult): string =>
  content.map(({ text }) => text ?? '').join('\n');

/** Returns the structured content of a result, else its text parsed as JSON, else nothing. */
function toValue(result: PrintedResult): unknown {
  if (result.structuredContent !== undefined) return result.structuredContent;
  try {
    return JSON.parse(toText(result)) as unknown;
  } catch {
    return undefined;
  }
}

const ANSWER_SECONDS = 30;

interface GatewayPlace {
  readonly url: string;
  readonly toolset?: string | undefined;
}

interface GatewayOptions extends GatewayPlace {
  readonly io: CliIo;
  /** Ends every request. With it the command has a session of its own. */
  readonly signal?: AbortSignal;
}

export async function withClient<T>(
  { url, toolset, io, signal }: GatewayOptions,
  use: (gateway: GatewayClient) => Promise<T>,
): Promise<T> {
  const endpoint = parseEndpoint(url, '--url');
  const store = new SignInStore(io.env);
  const accessToken = (): Promise<string | undefined> => findAccessToken(store, endpoint.href);
  const address = { url: endpoint, toolset, accessToken, signal };
  if (signal === undefined && io.sessions !== undefined) {
    const interrupted = io.getInterruptSignal();
    return io.sessions.run(address, (gateway) => use(makeInterruptible(gateway, interrupted)));
  }
  const session = await openGateway(address);
  const { gateway } = session;
  try {
    return await use(signal === undefined ? gateway : makeInterruptible(gateway, signal));
  } finally {
    await session.close();
  }
}

/** Ends every request with the command: a command in a kept session does not end the process. */
const makeInterruptible = (gateway: GatewayClient, signal: AbortSignal): GatewayClient => ({
  ...gateway,
  call: (tool, args, options) => gateway.call(tool, args, { signal, ...options }),
  ping: () => gateway.ping(signal),
});

export function requireSuccess(result: PrintedResult): PrintedResult {
  if (result.isError !== true) return result;
  const { code } = toObject(toValue(result));
  throw new CommandFailure(
    'failed',
    escapeToLines(toText(result)),
    typeof code === 'string' ? code : undefined,
  );
}

export const callMetaTool = async (
  gateway: GatewayClient,
  tool: string,
  args: object,
): Promise<unknown> =>
  toValue(requireSuccess(await gateway.call(tool, args, { timeoutSeconds: ANSWER_SECONDS })));

export const callCoreTool = (
  gateway: GatewayClient,
  name: string,
  args: object,
): Promise<unknown> => callMetaTool(gateway, 'call_tool', { name, arguments: args });

export const requestCoreTool = (
  { url, toolset }: GatewayPlace,
  io: CliIo,
  name: string,
  args: object,
): Promise<PrintedResult> =>
  withClient({ url, toolset, io }, async (gateway) =>
    requireSuccess(
      await gateway.call(
        'call_tool',
        { name, arguments: args },
        { timeoutSeconds: ANSWER_SECONDS },
      ),
    ),
  );

export const askCoreTool = async (
  place: GatewayPlace,
  io: CliIo,
  name: string,
  args: object,
): Promise<unknown> => toValue(await requestCoreTool(place, io, name, args));

export const askMetaTool = (
  { url, toolset }: GatewayPlace,
  io: CliIo,
  tool: string,
  args: object,
): Promise<unknown> =>
  withClient({ url, toolset, io }, (gateway) => callMetaTool(gateway, tool, args));

/** Pauses between attempts to reach a gateway again, in milliseconds: each is twice the one before, up to the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;

/** A session of a command that follows. */
export interface FollowedSession {
  readonly gateway: GatewayClient;
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
  const { io } = options;
  const interrupted = io.getInterruptSignal();
  const isInterrupted = (): boolean => interrupted.aborted;
  const write = (text: string): void => {
    io.stderr.write(`gateway: ${escapeToLine(text)}\n`);
  };
  const known: { hasAnswered: boolean; pauseMs: number; outage?: Outage | undefined } = {
    hasAnswered: false,
    pauseMs: FIRST_PAUSE_MS,
  };
  const onAnswer = (): void => {
    if (known.outage !== undefined) write(`${known.outage.subject} is available again`);
    Object.assign(known, { hasAnswered: true, pauseMs: FIRST_PAUSE_MS, outage: undefined });
  };
  while (!isInterrupted()) {
    try {
      await withClient({ ...options, signal: interrupted }, (gateway) =>
        follow({ gateway, interrupted, onAnswer }),
      );
    } catch (error) {
      if (isInterrupted()) break;
      if (!known.hasAnswered || !(error instanceof TemporaryFailure)) throw error;
      const { subject, reason } = error.outage;
      // Another thing may be missing once the first one is back.
      if (subject !== known.outage?.subject)
        write(`${subject} is not available (${reason}); waiting for it until Ctrl+C`);
      known.outage = error.outage;
      await pause(known.pauseMs, undefined, { signal: interrupted }).catch(() => undefined);
      known.pauseMs = Math.min(2 * known.pauseMs, LONGEST_PAUSE_MS);
    }
  }
  return 'succeeded';
}

const WATCH_MS = 1_000;

/** Moves the cursor to the upper left corner and clears the screen. ECMA-48 §8.3.21 CUP, §8.3.39 ED */
const CLEAR_SCREEN = '\u001B[H\u001B[2J';

type TableCommand = (io: CliIo) => Promise<CommandResult>;

/**
 * Runs a command. With `--watch` runs it every second until Ctrl+C and writes its output when that has changed: on a terminal in place of the
 * previous one, elsewhere after an empty line. All views use one session. A gateway that does not answer any more is a view too, because it may come back.
 */
export async function runWatched(
  { watch }: { readonly watch?: boolean },
  io: CliIo,
  command: TableCommand,
): Promise<CommandResult> {
  if (watch !== true) return command(io);
  const sessions = new SessionPool();
  try {
    return await watchCommand({ ...io, sessions }, command);
  } finally {
    await sessions.close();
  }
}

async function watchCommand(io: CliIo, command: TableCommand): Promise<CommandResult> {
  const interrupted = io.getInterruptSignal();
  const isInterrupted = (): boolean => interrupted.aborted;
  let shown = await readOutput(io, command);
  io.stdout.write(toSeparator(io, true) + shown);
  while (!isInterrupted()) {
    await pause(WATCH_MS, undefined, { signal: interrupted }).catch(() => undefined);
    if (isInterrupted()) break;
    const text = await readOutput(io, command).catch(formatFailure);
    if (isInterrupted()) break;
    if (text !== shown) io.stdout.write(toSeparator(io, false) + text);
    shown = text;
  }
  return 'succeeded';
}

const formatFailure = (error: unknown): string => {
  if (error instanceof CommandFailure) return `${error.message}\n`;
  throw error;
};

const readOutput = async (io: CliIo, command: TableCommand): Promise<string> => {
  let text = '';
  const { isTerminal, columns } = io.stdout;
  const write = (more: string): void => {
    text += more;
  };
  await command({ ...io, stdout: { write, isTerminal, columns } });
  return text;
};

const toSeparator = ({ stdout }: CliIo, isFirst: boolean): string => {
  if (stdout.isTerminal) return CLEAR_SCREEN;
  return isFirst ? '' : '\n';
};
