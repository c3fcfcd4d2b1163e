import { RESERVED_HEADER_NAMES } from '../wire/http/http-headers.ts';
import { Guard, GuardedFetchError, resolveHost, targetUrl } from '@gateway/guarded-fetch';
import type { ResolveHost } from '@gateway/guarded-fetch';
import type { ClientInfo } from '../connection/connection.ts';
import { sanitisedLine } from '../wire/reason.ts';
import { probe } from './probe.ts';
import type { ProbedTransport, ProbeOutcome } from './probe.ts';

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

const problemOf = ([name, value]: readonly [string, string]): string | undefined => {
  if (!NAME.test(name)) return 'a header has no valid name';
  const lower = name.toLowerCase();
  if (REFUSED_NAMES.has(lower) || REFUSED_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    return `the header ${lower} must not be set`;
  }
  return VALUE.test(value) ? undefined : `the value of the header ${lower} is not valid`;
};

/** Returns why these headers must not be sent, without their values; `undefined` when they are valid. RFC 9110 §5 */
export const headersProblem = (headers: Readonly<Record<string, string>>): string | undefined => {
  const lines = Object.entries(headers);
  if (lines.length > MAX_HEADERS) return `there are more than ${MAX_HEADERS} headers`;
  return lines.map(problemOf).find((problem) => problem !== undefined);
};

/** An address that may be an MCP server. */
export interface DetectQuestion {
  readonly url: string;
  /** Sent with each request; never shown. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum duration of the detection, in milliseconds. */
  readonly timeoutMs: number;
}

/** The server at an address. `detail` is one line without secrets. */
export type DetectOutcome =
  | {
      readonly kind: 'found';
      readonly transport: ProbedTransport;
      readonly requiresAuth: boolean;
      readonly serverName?: string;
      readonly serverVersion?: string;
      readonly detail: string;
    }
  /** No server speaks the protocol at the address, or none answers. */
  | { readonly kind: 'none'; readonly detail: string }
  /** The address is not allowed. */
  | { readonly kind: 'refused'; readonly detail: string };

/** The options of a detection. */
export interface DetectOptions {
  readonly clientInfo: ClientInfo;
  /** Allows loopback, private, unique local and carrier-grade NAT addresses; `false` when absent. */
  readonly allowPrivate?: boolean;
  /** Aborting it ends the detection. */
  readonly signal?: AbortSignal;
  /** Resolves a host; by default with the resolver of the system. */
  readonly resolve?: ResolveHost;
}

/** Share of the time for the first transport, so that some is left for the second. */
const FIRST_SHARE = 0.6;

interface Search {
  readonly guard: Guard;
  readonly headers: Readonly<Record<string, string>>;
  readonly clientInfo: ClientInfo;
  readonly deadline: number;
  readonly signal: AbortSignal;
}

const found = (
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
    ...(serverName !== undefined && { serverName: sanitisedLine(serverName, secrets) }),
    ...(serverVersion !== undefined && { serverVersion: sanitisedLine(serverVersion, secrets) }),
    detail: sanitisedLine(`MCP server over ${transport}, protocol ${protocolVersion}`, secrets),
  };
};

const ask = (search: Search, transport: ProbedTransport, share: number): Promise<ProbeOutcome> => {
  const timeoutMs = Math.max(1, Math.ceil((search.deadline - performance.now()) * share));
  return probe(search.guard, transport, { ...search, timeoutMs });
};

/** Returns the header values, and the credentials without their scheme: `Bearer abc` also contains `abc`. */
const secretsOf = (headers: Search['headers']): readonly string[] =>
  Object.values(headers).flatMap((value) => [value, value.split(' ').at(-1) ?? '']);

const search = async (what: Search): Promise<DetectOutcome> => {
  const secrets = secretsOf(what.headers);
  const none = (reason: string): DetectOutcome => ({
    kind: 'none',
    detail: sanitisedLine(reason, secrets),
  });
  const { guard } = what;
  const http = await ask(what, 'streamable-http', FIRST_SHARE);
  if (guard.refusal !== undefined)
    return { kind: 'refused', detail: sanitisedLine(guard.refusal.message) };
  if (guard.isResolving) return none('its address was not found in time');
  if (http.kind !== 'not-met') return found('streamable-http', http, secrets);
  const isOver = what.signal.aborted || performance.now() >= what.deadline;
  if (!http.answered || isOver) return none(http.reason);
  const sse = await ask(what, 'sse', 1);
  if (sse.kind !== 'not-met') return found('sse', sse, secrets);
  const same = http.reason === sse.reason;
  return none(same ? http.reason : `streamable-http: ${http.reason}; sse: ${sse.reason}`);
};

/**
 * Detects whether an address is an MCP server, over Streamable HTTP or else over HTTP with SSE, by a handshake.
 *
 * A caller may name any address, so few are allowed: never link-local, metadata, unspecified, multicast and reserved addresses; those of
 * the own network only with `allowPrivate`. All addresses of the host are checked, and connections use the checked ones. Redirects are not
 * followed. Bytes and time are bounded. Never rejects.
 */
export const detectServer = async (
  question: DetectQuestion,
  options: DetectOptions,
): Promise<DetectOutcome> => {
  const { url, headers = {}, timeoutMs } = question;
  const { clientInfo, allowPrivate = false, resolve = resolveHost } = options;
  const refusal = headersProblem(headers);
  if (refusal !== undefined) return { kind: 'refused', detail: refusal };
  const deadline = performance.now() + timeoutMs;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  try {
    const guard = new Guard(targetUrl(url), { allowPrivate, plain: 'all', resolve, signal });
    return await search({ guard, headers, clientInfo, deadline, signal });
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    return { kind: 'refused', detail: sanitisedLine(error.message) };
  }
};
