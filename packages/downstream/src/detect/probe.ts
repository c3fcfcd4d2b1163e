import type { Guard } from '@gateway/guarded-fetch';
import type { Client } from '@modelcontextprotocol/client';
import { type ClientInfo, createSdkClient, isEraFailure } from '../connection/connection.ts';
import { attemptReason } from '../connection/connection-failure.ts';
import { remoteWire } from '../connection/server-link.ts';
import { InterceptingTransport } from '../requests/intercepting-transport.ts';
import type { TransportObserver } from '../requests/intercepting-transport.ts';
import { untilAborted } from '../wire/deadlines.ts';

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
const BOUNDS = { maxMessageBytes: 1024 * 1024, maxConnectionsPerServer: 4 };
const UNAUTHORIZED = 401;
/** Maximum time to end the session, in milliseconds. */
const GOODBYE_MS = 500;

const LATE = 'it did not answer in time';

/** The signal bounds the whole probe, the client a single request. */
const unmetReason = (error: unknown): string =>
  error instanceof DOMException && error.name === 'TimeoutError'
    ? LATE
    : attemptReason(error, LATE);

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** The text of an answer is not shown, because any address can be asked. */
const notMet = (status: number | undefined, error: unknown): ProbeOutcome => {
  const reason = unmetReason(error);
  if (status === undefined) return { kind: 'not-met', answered: false, reason };
  if (status === UNAUTHORIZED) return { kind: 'unauthorized' };
  const answered = true;
  const isShown = (status >= 200 && status < 300) || isRedirect(status);
  return { kind: 'not-met', answered, reason: isShown ? reason : `HTTP ${status}` };
};

const met = (client: Client): ProbeOutcome => {
  const server = client.getServerVersion();
  return {
    kind: 'met',
    protocolVersion: client.getNegotiatedProtocolVersion() ?? 'unknown',
    ...(server !== undefined && { serverName: server.name, serverVersion: server.version }),
  };
};

interface Attempt {
  readonly guard: Guard;
  readonly transport: ProbedTransport;
  readonly options: ProbeOptions;
  readonly signal: AbortSignal;
}

const ignore = (): void => undefined;

/** A server may ask whether the gateway is there; other questions have no caller. */
const INCOMING: TransportObserver['incoming'] = {
  onRequest: ({ method }) =>
    Promise.resolve(method === 'ping' ? { ok: true, result: {} } : undefined),
  onNotification: () => false,
  onRequestOver: ignore,
  onLateAnswer: ignore,
};

/** Performs one handshake. `isLegacy` skips the era probe. */
const handshake = async (
  { guard, transport: type, options, signal }: Attempt,
  isLegacy: boolean,
): Promise<{ readonly outcome: ProbeOutcome; readonly isEraTrouble: boolean }> => {
  const { timeoutMs, clientInfo, headers } = options;
  const spec = { type, url: guard.url.href, headers, timeout: timeoutMs / 1_000 };
  const seen: { status?: number; error?: unknown } = {};
  const remote = remoteWire({ spec, authority: undefined, lookup: guard.lookup }, BOUNDS, {
    onStatus: (status) => (seen.status = status),
    onNetworkError: (error) => (seen.error = error),
    onSessionGone: ignore,
  });
  const transport = new InterceptingTransport(remote.wire, {
    ...{ onListChanged: ignore, onError: ignore, onClosed: ignore, onRequestsFail: ignore },
    incoming: INCOMING,
    onSessionRefused: () => Promise.resolve(false),
    closeReason: () => 'the connection was closed',
  });
  const client = createSdkClient({ clientInfo, timeoutMs });
  try {
    const prior = isLegacy ? ({ prior: { kind: 'legacy' } } as const) : {};
    const connected = client.connect(transport, { timeout: timeoutMs, signal, ...prior });
    await Promise.race([connected, untilAborted(signal)]);
    return { outcome: met(client), isEraTrouble: false };
  } catch (error) {
    const outcome = notMet(seen.status, seen.error ?? error);
    return { outcome, isEraTrouble: isEraFailure(error) };
  } finally {
    await remote.close(transport, GOODBYE_MS);
  }
};

/** Performs a handshake with a server and disconnects. Never rejects. */
export const probe = async (
  guard: Guard,
  transport: ProbedTransport,
  options: ProbeOptions,
): Promise<ProbeOutcome> => {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
  const attempt = { guard, transport, options, signal };
  const { outcome, isEraTrouble } = await handshake(attempt, false);
  const mayBeOld = isEraTrouble && outcome.kind === 'not-met' && outcome.answered;
  if (!mayBeOld || signal.aborted) return outcome;
  return (await handshake(attempt, true)).outcome;
};
