// Figures of a gateway that reads a cluster. Needs Go and a build; the command is in ADR 0074.
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { customResourceDefinition } from '@gateway/crd-schemas';
import { startOwnCluster } from '@gateway/test-cluster';
import { startGateway } from './gateway-process.mjs';
import { startServer } from './server-process.mjs';

const SERVERS = 1_000;
const FLAPPING = 100;
const REST_MS = Number(process.env.REST_SECONDS ?? 120) * 1000;
const FLAPS = 6;
const FLAP_MS = 5_000;
const MB = 1024 * 1024;
const NAMESPACE = 'bench';
const COLLECTION = `/apis/gateway.internal/v1alpha1/namespaces/${NAMESPACE}/mcpservers`;
const LEASE = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/gateway`;

const report = (name, value) => console.log(`${name.padEnd(44)} ${value}`);

/** Forwards requests to an origin while it is up; otherwise it breaks connections. */
const startSwitch = async (origin) => {
  let isUp = true;
  const server = createServer((request, response) => {
    if (!isUp) {
      request.socket.destroy();
      return;
    }
    const options = { method: request.method, headers: request.headers };
    const forwarded = send(new URL(request.url, origin), options, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    turn: (value) => {
      isUp = value;
      if (!isUp) server.closeAllConnections();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const countConnected = async (admin) => {
  const { items } = await admin.expect('GET', COLLECTION);
  return items.filter(({ status }) => status?.state === 'Connected').length;
};

const untilConnected = async (admin, count) => {
  const end = performance.now() + 120_000;
  for (;;) {
    const found = await countConnected(admin);
    if (found >= count || performance.now() > end) return found;
    await wait(250);
  }
};

const createServers = async (admin, urlOf) => {
  for (let index = 0; index < SERVERS; index += 1) {
    const url = `${urlOf(index)}/s${index}/mcp`;
    await admin.apply({
      apiVersion: 'gateway.internal/v1alpha1',
      kind: 'MCPServer',
      metadata: { namespace: NAMESPACE, name: `s${index}` },
      spec: { type: 'streamable-http', url, autoStart: true },
    });
  }
};

const own = await startOwnCluster({ audit: true });
const { admin } = own.cluster;
const instant = await startServer(new URL('servers/instant-http.mjs', import.meta.url).pathname, [
  String(SERVERS),
  '3',
]);
const flapping = await startSwitch(instant.url);
const gateways = [];

/** The requests of gateways since a time. */
const requestsSince = async (at) =>
  (await own.requests()).filter((request) => request.user === 'gateway' && request.at >= at);

const start = async () => {
  const more = `kubernetes: {enabled: true, namespaces: [${NAMESPACE}], namespace: ${NAMESPACE}}`;
  const gateway = await startGateway({ servers: 0, origin: instant.url, more });
  gateways.push(gateway);
  return gateway;
};

const measureStart = async () => {
  const startedAt = performance.now();
  const gateway = await start();
  report('start to ready', `${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  const found = await untilConnected(admin, SERVERS);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  report(`start to ${found} statuses Connected`, `${seconds} s`);
  const { rss } = await gateway.ask('memory');
  report('memory', `${(rss / MB).toFixed()} MB`);
  return gateway;
};

const byVerb = (requests) => {
  const counts = new Map();
  for (const { verb, resource } of requests) {
    const name = `${verb} ${resource}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${name}: ${count}`).join(', ');
};

const measureRest = async () => {
  await wait(20_000);
  const at = Date.now();
  await wait(REST_MS);
  const requests = await requestsSince(at);
  const perMinute = (requests.length / REST_MS) * 60_000;
  report('requests per minute at rest', `${perMinute.toFixed(1)} (${byVerb(requests)})`);
};

const measureFlapping = async () => {
  const at = Date.now();
  for (let flap = 0; flap < FLAPS; flap += 1) {
    flapping.turn(flap % 2 === 1);
    await wait(FLAP_MS);
  }
  flapping.turn(true);
  const seconds = (Date.now() - at) / 1000;
  const requests = await requestsSince(at);
  report(`requests in ${seconds.toFixed()} s, ${FLAPPING} servers flap`, byVerb(requests));
};

const leader = async () => (await admin.expect('GET', LEASE)).spec.holderIdentity;

const measureFailover = async (first) => {
  await start();
  const before = await leader();
  process.kill(first.pid, 'SIGKILL');
  const startedAt = performance.now();
  while ((await leader()) === before && performance.now() - startedAt < 60_000) await wait(50);
  report(
    'failover of the leader after SIGKILL',
    `${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
};

try {
  for (const kind of ['MCPServer', 'Workflow'])
    await own.cluster.define(customResourceDefinition(kind));
  await admin.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await createServers(admin, (index) => (index < FLAPPING ? flapping.url : instant.url));
  process.env.KUBECONFIG = await own.cluster.user('gateway', ['system:masters']);
  const first = await measureStart();
  await measureRest();
  await measureFlapping();
  await measureFailover(first);
} finally {
  for (const gateway of gateways) await gateway.stop();
  flapping.close();
  await instant.stop();
  await own.close();
}
