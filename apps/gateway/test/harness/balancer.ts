import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A load balancer of a test. */
export interface Balancer {
  readonly url: URL;
  /** Requests that were sent to each target. */
  readonly sent: readonly number[];
}

interface Target {
  readonly port: number;
  isReady: boolean;
  sent: number;
}

const CHECK_MS = 100;

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${String(port)}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Starts a load balancer that checks `/readyz` of its targets, sends requests to ready ones in turn, keeps connections to them open, and
 * chooses another one only when a connection is refused. The end of the test stops it.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const targets = ports.map((port): Target => ({ port, isReady: true, sent: 0 }));
  const agent = new Agent({ keepAlive: true });
  let next = 0;
  const choose = (): Target | undefined => {
    const ready = targets.filter((target) => target.isReady);
    next += 1;
    return ready[next % ready.length];
  };
  const check = async (target: Target): Promise<void> => {
    target.isReady = await isReady(target.port);
  };
  const timer = setInterval(() => targets.map(check), CHECK_MS);
  const server = createServer((incoming, outgoing) => {
    forward({ incoming, outgoing, choose, agent });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    clearInterval(timer);
    server.close();
    server.closeAllConnections();
    agent.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${String(port)}`),
    get sent() {
      return targets.map(({ sent }) => sent);
    },
  };
}

interface Forwarding {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly choose: () => Target | undefined;
  readonly agent: Agent;
}

function forward(forwarding: Forwarding, tries = 3): void {
  const { incoming, outgoing, choose, agent } = forwarding;
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
    outgoing.writeHead(answer.statusCode ?? 500, rest);
    answer.on('error', () => outgoing.destroy()).pipe(outgoing);
  });
  sent.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED' && tries > 1) forward(forwarding, tries - 1);
    else if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end(`${String(error.code)} of ${String(port)}`);
  });
  outgoing.once('close', () => sent.destroy());
  incoming.pipe(sent);
}
