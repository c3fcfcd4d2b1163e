import { pinnedAgent, requestFetch } from '@gateway/guarded-fetch';
import type { CheckedTarget } from '@gateway/guarded-fetch';
import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Client, FetchLike, Transport } from '@modelcontextprotocol/client';
import { ResponseTooLargeError } from '../wire/response-too-large.ts';
import { createSdkClient, isEraFailure } from '../connection/client-session.ts';
import type { ClientInfo } from '../connection/client-session.ts';
import { attemptReason } from '../connection/connection-failure.ts';
import { untilAborted } from '../wire/time-limit.ts';

/** Bounds of all requests to one target together. */
interface ProbeLimits {
  readonly maxBytes: number;
  readonly maxRequests: number;
}

/** The last answer of the target. */
interface SeenAnswer {
  readonly status: number;
  /** The target of a redirect. */
  readonly redirect?: URL;
}

/** A `fetch` that connects to its target only. */
interface ProbeFetch {
  readonly fetch: FetchLike;
  readonly seen: () => SeenAnswer | undefined;
  close(): Promise<void>;
}

const redirectOf = (response: Response, url: URL): URL | undefined => {
  const location = response.headers.get('location');
  const points = response.status >= 300 && response.status < 400 && location !== null;
  return points && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
};

/** Counts the bytes of all answers together. */
const budgetOf = (maxBytes: number): ((response: Response) => Response) => {
  let bytes = 0;
  return (response) => {
    if (response.body === null) return response;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) controller.error(new ResponseTooLargeError(maxBytes));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
  };
};

/** The bounds of a `fetch`, and the signal that aborts all its requests. */
interface ProbeFetchOptions {
  readonly limits: ProbeLimits;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Returns a `fetch` that connects to the checked addresses of one origin only, follows no redirects and reads within the bounds. */
const createProbeFetch = (
  target: CheckedTarget,
  { limits, timeoutMs, signal }: ProbeFetchOptions,
): ProbeFetch => {
  const agent = pinnedAgent(target, timeoutMs);
  const counted = budgetOf(limits.maxBytes);
  let requests = 0;
  let seen: SeenAnswer | undefined;
  const fetch: FetchLike = async (to, init) => {
    const url = new URL(to);
    if (url.origin !== target.url.origin) throw new Error('the server points to another origin');
    requests += 1;
    if (requests > limits.maxRequests) throw new Error('the server requires too many requests');
    const either = init?.signal ? AbortSignal.any([init.signal, signal]) : signal;
    const response = await requestFetch(await agent)(url, { ...init, signal: either });
    const redirect = redirectOf(response, url);
    seen = { status: response.status, ...(redirect !== undefined && { redirect }) };
    if (redirect !== undefined) {
      await response.body?.cancel();
      throw new Error('a redirect is not followed');
    }
    return counted(response);
  };
  return { fetch, seen: () => seen, close: async () => (await agent).destroy() };
};

/* eslint-disable @typescript-eslint/no-deprecated -- `sse` is one of the three types that the resource offers */

/** The transport of a remote server. @spec §2.6 type */
export type ProbedTransport = 'streamable-http' | 'sse';

/** The result of a probe over one transport. `reason` may contain secrets. */
export type ProbeOutcome =
  | {
      readonly kind: 'met';
      readonly protocolVersion: string;
      readonly serverName?: string;
      readonly serverVersion?: string;
    }
  | { readonly kind: 'unauthorized' }
  /** `answered`: the address answered, but not as such a server. */
  | { readonly kind: 'not-met'; readonly answered: boolean; readonly reason: string };

/** The options of a probe. */
interface ProbeOptions {
  readonly clientInfo: ClientInfo;
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum duration of the probe, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Far more than a handshake needs. */
const LIMITS = { maxBytes: 1024 * 1024, maxRequests: 10 };
const UNAUTHORIZED = 401;
/** Maximum time to end the session, in milliseconds. */
const GOODBYE_MS = 500;

const transportTo = (
  transport: ProbedTransport,
  { url }: CheckedTarget,
  fetch: ProbeFetch['fetch'],
  { headers }: ProbeOptions,
): Transport => {
  const options = { fetch, requestInit: { headers: { ...headers } } };
  switch (transport) {
    case 'streamable-http':
      return new StreamableHTTPClientTransport(url, options);
    case 'sse':
      return new SSEClientTransport(url, options);
  }
};

const LATE = 'it did not answer in time';

/** The signal bounds the whole probe, the client a single request. */
const unmetReason = (error: unknown): string =>
  error instanceof DOMException && error.name === 'TimeoutError'
    ? LATE
    : attemptReason(error, LATE);

const redirectText = ({ origin, pathname }: URL): string =>
  `it redirects to ${origin}${pathname}, which is not followed`;

const notMet = (seen: SeenAnswer | undefined, error: unknown): ProbeOutcome => {
  if (seen === undefined) return { kind: 'not-met', answered: false, reason: unmetReason(error) };
  const { status, redirect } = seen;
  if (status === UNAUTHORIZED) return { kind: 'unauthorized' };
  const answered = true;
  if (redirect !== undefined) return { kind: 'not-met', answered, reason: redirectText(redirect) };
  const isGood = status >= 200 && status < 300;
  return { kind: 'not-met', answered, reason: isGood ? unmetReason(error) : `HTTP ${status}` };
};

const met = (client: Client): ProbeOutcome => {
  const server = client.getServerVersion();
  return {
    kind: 'met',
    protocolVersion: client.getNegotiatedProtocolVersion() ?? 'unknown',
    ...(server !== undefined && { serverName: server.name, serverVersion: server.version }),
  };
};

const endSession = async (transport: Transport): Promise<void> => {
  if (!(transport instanceof StreamableHTTPClientTransport)) return;
  const over = transport.terminateSession().catch(() => undefined);
  await Promise.race([over, untilAborted(AbortSignal.timeout(GOODBYE_MS)).catch(() => undefined)]);
};

interface Attempt {
  readonly target: CheckedTarget;
  readonly transport: ProbedTransport;
  readonly options: ProbeOptions;
  readonly signal: AbortSignal;
}

/** Performs one handshake. `isLegacy` skips the era probe. */
const handshake = async (
  { target, transport: kind, options, signal }: Attempt,
  isLegacy: boolean,
): Promise<{ readonly outcome: ProbeOutcome; readonly isEraTrouble: boolean }> => {
  const { timeoutMs, clientInfo } = options;
  const guarded = createProbeFetch(target, { limits: LIMITS, timeoutMs, signal });
  const client = createSdkClient({ clientInfo, timeoutMs });
  const transport = transportTo(kind, target, guarded.fetch, options);
  try {
    const prior = isLegacy ? ({ prior: { kind: 'legacy' } } as const) : {};
    const connected = client.connect(transport, { timeout: timeoutMs, signal, ...prior });
    await Promise.race([connected, untilAborted(signal)]);
    const outcome = met(client);
    await endSession(transport);
    return { outcome, isEraTrouble: false };
  } catch (error) {
    return { outcome: notMet(guarded.seen(), error), isEraTrouble: isEraFailure(error) };
  } finally {
    await client.close().catch(() => undefined);
    await guarded.close();
  }
};

/** Performs a handshake with a server and disconnects. Never rejects. */
export const probe = async (
  target: CheckedTarget,
  transport: ProbedTransport,
  options: ProbeOptions,
): Promise<ProbeOutcome> => {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
  const attempt = { target, transport, options, signal };
  const { outcome, isEraTrouble } = await handshake(attempt, false);
  const mayBeOld = isEraTrouble && outcome.kind === 'not-met' && outcome.answered;
  if (!mayBeOld || signal.aborted) return outcome;
  return (await handshake(attempt, true)).outcome;
};
