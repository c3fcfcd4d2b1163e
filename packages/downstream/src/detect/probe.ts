import type { CheckedTarget } from '@gateway/guarded-fetch';
import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Client, Transport } from '@modelcontextprotocol/client';
import type { ClientInfo } from '../connection/client-session.ts';
import { attemptReason } from '../connection/connection-failure.ts';
import { createSdkClient, isEraFailure } from '../connection/client-session.ts';
import { untilAborted } from '../wire/deadlines.ts';
import { createProbeFetch } from './probe-fetch.ts';
import type { ProbeFetch, SeenAnswer } from './probe-fetch.ts';

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
export interface ProbeOptions {
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
