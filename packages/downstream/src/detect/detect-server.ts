import { type DetectOutcome, type DetectQuestion, raceLimit } from '@gateway/call-contract';
import {
  Guard,
  GuardedFetchError,
  resolveHost,
  type ResolveHost,
  parseTargetUrl,
} from '@gateway/guarded-fetch';
import type { Client } from '@modelcontextprotocol/client';
import { formatAttemptFailure } from '../connection/connection-failure.ts';
import { type ClientInfo, createSdkClient, isEraFailure } from '../connection/connection.ts';
import { createRemoteWire } from '../connection/server-link.ts';
import {
  InterceptingTransport,
  type TransportObserver,
} from '../requests/intercepting-transport.ts';
import { throwReason } from '../wire/deadlines.ts';
import { RESERVED_HEADER_NAMES } from '../wire/http/http-channel.ts';
import { formatSafeLine } from '../wire/reason.ts';
import { UNAUTHORIZED } from '../wire/request-outcome.ts';

/** The reserved names, and names that could make one server appear as another. */
const REFUSED_NAMES: ReadonlySet<string> = new Set([
  ...RESERVED_HEADER_NAMES,
  'forwarded',
  'host',
  'te',
  'trailer',
]);
const REFUSED_PREFIXES = ['proxy-', 'sec-', 'x-forwarded-'];

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/;
const MAX_HEADERS = 128;

const findProblem = ([name, value]: readonly [string, string]): string | undefined => {
  if (!NAME.test(name)) return 'a header has no valid name';
  const lower = name.toLowerCase();
  if (REFUSED_NAMES.has(lower) || REFUSED_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    return `the header ${lower} must not be set`;
  }
  return VALUE.test(value) ? undefined : `the value of the header ${lower} is not valid`;
};

/** Returns why these headers must not be sent, without their values; `undefined` when they are valid. RFC 9110 §5 */
const validateHeaders = (headers: Readonly<Record<string, string>>): string | undefined => {
  const lines = Object.entries(headers);
  if (lines.length > MAX_HEADERS) return `there are more than ${MAX_HEADERS} headers`;
  return lines.map(findProblem).find((problem) => problem !== undefined);
};

/** The transport of a remote server. @spec §2.6 type */
type ProbedTransport = 'streamable-http' | 'sse';

/** The result of a probe over one transport. `reason` may contain secrets. */
type ProbeOutcome =
  | {
      readonly kind: 'met';
      readonly protocolVersion: string;
      readonly serverName?: string;
      readonly serverVersion?: string;
    }
  | { readonly kind: 'unauthorized' }
  /** `answered`: the address answered, but not as such a server. */
  | { readonly kind: 'not-met'; readonly answered: boolean; readonly reason: string };

interface Search {
  readonly guard: Guard;
  readonly headers: Readonly<Record<string, string>>;
  readonly clientInfo: ClientInfo;
  /** By `performance.now()`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** Far more than a handshake needs. */
const BOUNDS = { maxMessageBytes: 1024 * 1024, maxConnectionsPerServer: 4 };
const GOODBYE_MS = 500;

const LATE = 'it did not answer in time';

/** The signal bounds the whole probe, the client a single request. */
const formatProbeReason = (error: unknown): string =>
  error instanceof DOMException && error.name === 'TimeoutError'
    ? LATE
    : formatAttemptFailure(error, LATE);

/** The text of an answer is not shown, because any address can be asked. */
const resolveProbeFailure = (status: number | undefined, error: unknown): ProbeOutcome => {
  const reason = formatProbeReason(error);
  if (status === undefined) return { kind: 'not-met', answered: false, reason };
  if (status === UNAUTHORIZED) return { kind: 'unauthorized' };
  const isShown = status >= 200 && status < 400;
  return { kind: 'not-met', answered: true, reason: isShown ? reason : `HTTP ${status}` };
};

const createProbeSuccess = (client: Client): ProbeOutcome => {
  const server = client.getServerVersion();
  return {
    kind: 'met',
    protocolVersion: client.getNegotiatedProtocolVersion() ?? 'unknown',
    ...(server !== undefined && { serverName: server.name, serverVersion: server.version }),
  };
};

const ignore = (): void => undefined;

/** A server may ask whether the gateway is there; other questions have no caller. */
const INCOMING: TransportObserver['incoming'] = {
  onRequest: ({ method }) =>
    Promise.resolve(method === 'ping' ? { ok: true, result: {} } : undefined),
  onNotification: () => false,
  onRequestOver: ignore,
  onLateAnswer: ignore,
};

/** Performs one handshake and disconnects. `isLegacy` skips the era probe. */
const runHandshake = async (
  { guard, clientInfo, headers }: Search,
  type: ProbedTransport,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  isLegacy: boolean,
): Promise<{ readonly outcome: ProbeOutcome; readonly isEraTrouble: boolean }> => {
  const spec = { type, url: guard.url.href, headers, timeout: timeoutMs / 1_000 };
  const seen: { status?: number; error?: unknown } = {};
  const remote = createRemoteWire({ spec, authority: undefined, lookup: guard.lookup }, BOUNDS, {
    onStatus: (status) => (seen.status = status),
    onNetworkError: (error) => (seen.error = error),
    onSessionGone: ignore,
  });
  const transport = new InterceptingTransport(remote.wire, {
    onListChanged: ignore,
    onError: ignore,
    onClosed: ignore,
    onRequestsFail: ignore,
    incoming: INCOMING,
    onSessionRefused: () => Promise.resolve(false),
    closeReason: () => 'the connection was closed',
  });
  const client = createSdkClient(clientInfo, timeoutMs);
  try {
    const prior = isLegacy ? ({ prior: { kind: 'legacy' } } as const) : {};
    const connected = client.connect(transport, { timeout: timeoutMs, signal, ...prior });
    await raceLimit(connected, { signal }, () => throwReason(signal));
    return { outcome: createProbeSuccess(client), isEraTrouble: false };
  } catch (error) {
    const outcome = resolveProbeFailure(seen.status, seen.error ?? error);
    return { outcome, isEraTrouble: isEraFailure(error) };
  } finally {
    await remote.close(transport, GOODBYE_MS);
  }
};

/** Probes an address over one transport, in a share of the remaining time. Never rejects. */
const probe = async (
  search: Search,
  transport: ProbedTransport,
  share: number,
): Promise<ProbeOutcome> => {
  const timeoutMs = Math.max(1, Math.ceil((search.deadline - performance.now()) * share));
  const signal = AbortSignal.any([search.signal, AbortSignal.timeout(timeoutMs)]);
  const bounds = { timeoutMs, signal };
  const { outcome, isEraTrouble } = await runHandshake(search, transport, bounds, false);
  const mayBeOld = isEraTrouble && outcome.kind === 'not-met' && outcome.answered;
  if (!mayBeOld || signal.aborted) return outcome;
  return (await runHandshake(search, transport, bounds, true)).outcome;
};

export interface DetectOptions {
  readonly clientInfo: ClientInfo;
  /** Allows loopback, private, unique local and carrier-grade NAT addresses; `false` when absent. */
  readonly allowPrivate?: boolean;
  readonly signal?: AbortSignal;
  readonly resolve?: ResolveHost;
}

/** Share of the time for the first transport, so that some is left for the second. */
const FIRST_SHARE = 0.6;

const toDetectOutcome = (
  transport: ProbedTransport,
  outcome: Exclude<ProbeOutcome, { readonly kind: 'not-met' }>,
  secrets: readonly string[],
): DetectOutcome => {
  if (outcome.kind === 'unauthorized') {
    const detail = 'HTTP 401: sign-in is required; whether it is an MCP server shows behind it';
    return { kind: 'found', transport, requiresAuth: true, detail };
  }
  const { protocolVersion, serverName, serverVersion } = outcome;
  return {
    kind: 'found',
    transport,
    requiresAuth: false,
    ...(serverName !== undefined && { serverName: formatSafeLine(serverName, secrets) }),
    ...(serverVersion !== undefined && { serverVersion: formatSafeLine(serverVersion, secrets) }),
    detail: formatSafeLine(`MCP server over ${transport}, protocol ${protocolVersion}`, secrets),
  };
};

/** Returns the header values, and the credentials without their scheme: `Bearer abc` also contains `abc`. */
const listSecrets = (headers: Search['headers']): readonly string[] =>
  Object.values(headers).flatMap((value) => [value, value.split(' ').at(-1) ?? '']);

const search = async (what: Search): Promise<DetectOutcome> => {
  const secrets = listSecrets(what.headers);
  const none = (reason: string): DetectOutcome => ({
    kind: 'none',
    detail: formatSafeLine(reason, secrets),
  });
  const { guard } = what;
  const http = await probe(what, 'streamable-http', FIRST_SHARE);
  if (guard.refusal !== undefined)
    return { kind: 'refused', detail: formatSafeLine(guard.refusal.message) };
  if (guard.isResolving) return none('its address was not found in time');
  if (http.kind !== 'not-met') return toDetectOutcome('streamable-http', http, secrets);
  const isOver = what.signal.aborted || performance.now() >= what.deadline;
  if (!http.answered || isOver) return none(http.reason);
  const sse = await probe(what, 'sse', 1);
  if (sse.kind !== 'not-met') return toDetectOutcome('sse', sse, secrets);
  const same = http.reason === sse.reason;
  return none(same ? http.reason : `streamable-http: ${http.reason}; sse: ${sse.reason}`);
};

/** Detects whether an address is an MCP server by a handshake, over Streamable HTTP or else HTTP with SSE. All addresses of the host are checked. Never rejects. */
export const detectServer = async (
  question: DetectQuestion,
  options: DetectOptions,
): Promise<DetectOutcome> => {
  const { url, headers = {}, timeoutMs } = question;
  const { clientInfo, allowPrivate = false, resolve = resolveHost } = options;
  const refusal = validateHeaders(headers);
  if (refusal !== undefined) return { kind: 'refused', detail: refusal };
  const deadline = performance.now() + timeoutMs;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  try {
    const guard = new Guard(parseTargetUrl(url), { allowPrivate, plain: 'all', resolve, signal });
    return await search({ guard, headers, clientInfo, deadline, signal });
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    return { kind: 'refused', detail: formatSafeLine(error.message) };
  }
};
