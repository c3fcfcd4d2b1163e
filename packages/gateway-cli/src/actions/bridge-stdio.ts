import { TOOLSET_HEADER } from '@gateway/toolset-grammar';
import { type CommandResult, escapeToLine, waitForStopSignal } from '@gateway/service-host';
import process from 'node:process';
import { runBridge } from '../bridge/bridge.ts';
import type { CliIo } from '../cli-io.ts';
import { isLoopback, parseEndpoint } from '../endpoint.ts';
import type { BridgeArguments } from '../command-context.ts';
import { CommandFailure } from '../failure.ts';
import { findAccessToken } from '../sign-in/access-token.ts';
import { SignInStore } from '../sign-in/sign-in-store.ts';

const TOKEN_VARIABLE = 'GATEWAY_TOKEN';

/** Headers with credentials: other users of the machine can read the arguments of a process. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
]);

const HEADER_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}):[ \t]*([\x20-\x7e]{0,4096}?)[ \t]*$/u;

function toHeaders(lines: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw new CommandFailure('refused', '--header: it must have the form "Name: value"');
    const key = name.toLowerCase();
    if (SECRET_HEADERS.has(key))
      throw new CommandFailure(
        'refused',
        `--header: arguments of a process are public; set ${TOKEN_VARIABLE} or use gateway auth login in place of ${name}`,
      );
    const earlier = headers.get(key);
    headers.set(key, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return Object.fromEntries(headers);
}

/** Returns the token of the variable, or that of the stored sign-in. */
const createTokenSource = (url: URL, { env }: CliIo): (() => Promise<string | undefined>) => {
  const given = env[TOKEN_VARIABLE];
  const store = new SignInStore(env);
  if (given === undefined || given === '') return () => findAccessToken(store, url.href);
  if (url.protocol !== 'https:' && !isLoopback(url))
    throw new CommandFailure(
      'refused',
      `${TOKEN_VARIABLE} is sent over https or to a loopback address only`,
    );
  return () => Promise.resolve(given);
};

export async function bridgeStdio(
  { url, toolset, header = [] }: BridgeArguments,
  io: CliIo,
): Promise<CommandResult> {
  const endpoint = parseEndpoint(url, '--url');
  const headers = toHeaders(header);
  const accessToken = createTokenSource(endpoint, io);
  const stopped = new AbortController();
  void waitForStopSignal().then(() => {
    stopped.abort();
  });
  const ended = await runBridge({
    url: endpoint,
    headers: { ...headers, ...(toolset !== undefined && { [TOOLSET_HEADER]: toolset }) },
    accessToken,
    input: process.stdin,
    output: process.stdout,
    signal: stopped.signal,
    log: (text) => {
      io.stderr.write(`gateway: ${escapeToLine(text)}\n`);
    },
  });
  if (!ended.ok) throw new CommandFailure('failed', ended.text);
  return 'succeeded';
}
