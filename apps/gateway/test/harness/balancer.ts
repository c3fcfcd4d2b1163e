import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A load balancer of a test. */
export interface Balancer {
  readonly url: URL;
  /** Requests that were sent to each target. */
  readonly sent: readonly number[];
  readonly close: () => void;
}

/** The header of an answer that names the port of its target. */
export const TARGET_HEADER = 'x-target';

interface Target {
  readonly port: number;
  isReady: boolean;
  /** Whether a check is running. */
  isChecked: boolean;
  sent: number;
}

const CHECK_MS = 100;

/** Less than the time after which a gateway closes an idle connection: a request must not meet that moment. */
const IDLE_MS = 5_000;

/** Returns whether a target is ready; undefined when it does not answer in time, which says nothing on a busy machine. */
const readinessOf = (port: number): Promise<boolean | undefined> =>
  fetch(`http://127.0.0.1:${String(port)}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    (error: unknown) =>
      error instanceof Error && error.name === 'TimeoutError' ? undefined : false,
  );

/** Starts a load balancer that the end of the test stops. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const balancer = await listenBalancer(ports);
  onTestFinished(balancer.close);
  return balancer;
}

/**
 * Starts a load balancer that checks `/readyz` of its targets, sends requests to ready ones in turn, keeps connections to them open, and
 * chooses another one only when a connection is refused.
 */
export async function listenBalancer(ports: readonly number[]): Promise<Balancer> {
  const targets = ports.map((port): Target => ({ port, isReady: true, isChecked: false, sent: 0 }));
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  let next = 0;
  const choose = (): Target | undefined => {
    const ready = targets.filter((target) => target.isReady);
    next += 1;
    return ready[next % ready.length];
  };
  const check = async (target: Target): Promise<void> => {
    if (target.isChecked) return;
    target.isChecked = true;
    target.isReady = (await readinessOf(target.port)) ?? target.isReady;
    target.isChecked = false;
  };
  const timer = setInterval(() => targets.map(check), CHECK_MS);
  const server = createServer((incoming, outgoing) => {
    // The whole body is kept, because a refused connection is tried again.
    buffer(incoming).then(
      (body) => forward({ incoming, body, outgoing, choose, agent }),
      () => outgoing.destroy(),
    );
  }).listen(0, '127.0.0.1');
  // Clients that keep connections open close them first.
  server.keepAliveTimeout = 65_000;
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${String(port)}`),
    get sent() {
      return targets.map(({ sent }) => sent);
    },
    close: () => {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

interface Forwarding {
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
  readonly outgoing: ServerResponse;
  readonly choose: () => Target | undefined;
  readonly agent: Agent;
}

function forward(forwarding: Forwarding, tries = 3): void {
  const { incoming, body, outgoing, choose, agent } = forwarding;
  const target = choose();
  if (target === undefined) {
    outgoing.writeHead(502).end('no target is ready');
    return;
  }
  const { method, headers, url: path } = incoming;
  const { port } = target;
  const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
    target.sent += 1;
    const { connection: _connection, ...rest } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 500, { ...rest, [TARGET_HEADER]: String(port) });
    answer.on('error', () => outgoing.destroy()).pipe(outgoing);
  });
  sent.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED' && tries > 1) forward(forwarding, tries - 1);
    else if (outgoing.headersSent) outgoing.destroy();
    else
      outgoing
        .writeHead(502, { [TARGET_HEADER]: String(port) })
        .end(`${String(error.code)} of ${String(port)}`);
  });
  outgoing.once('close', () => sent.destroy());
  sent.end(body);
}
