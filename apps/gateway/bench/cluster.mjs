// Figures of a gateway that reads a cluster. Needs Go and a build; `docs/testing.md` has the command.
// PARTS=apply,rest,flapping,failover selects figures. OBJECTS=10000 adds servers that are not started, and measures their part only.
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { createCustomResourceDefinition } from '@gateway/crd-schemas';
import { startOwnCluster } from '@gateway/test-peers';
import { startGateway } from './gateway-process.mjs';
import { startServer } from './server-process.mjs';

const SERVERS = 1_000;
/** Servers with `autoStart: false`, in place of those that are started. */
const OBJECTS = Number(process.env.OBJECTS ?? 0);
const ALL_PARTS = ['apply', 'rest', 'flapping', 'failover'];
const PARTS = new Set(process.env.PARTS?.split(',') ?? (OBJECTS === 0 ? ALL_PARTS : ['rest']));
const CREATED_AT_ONCE = 25;
const FLAPPING = 100;
const REST_MS = Number(process.env.REST_SECONDS ?? 120) * 1000;
const AWAY = 20;
const APPLIED = 50;
const FLAPS = 6;
const FLAP_MS = 5_000;
const MB = 1024 * 1024;
const NAMESPACE = 'bench';
const COLLECTION = `/apis/gateway.internal/v1alpha1/namespaces/${NAMESPACE}/mcpservers`;
const LEASE = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/gateway`;

const percentile = (sorted, part) =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
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

const STATE = OBJECTS === 0 ? 'Connected' : 'Disconnected';

const countConnected = async (admin) => {
  const { items } = await admin.expect('GET', COLLECTION);
  return items.filter(({ status }) => status?.state === STATE).length;
};

const untilConnected = async (admin, count) => {
  const end = performance.now() + (OBJECTS === 0 ? 120_000 : 600_000);
  for (;;) {
    const found = await countConnected(admin);
    if (found >= count || performance.now() > end) return found;
    await wait(OBJECTS === 0 ? 250 : 5_000);
  }
};

/** A client that asks which tools of a server there are. */
const mcpClient = async (url) => {
  const post = async (method, params, session = {}) => {
    const accept = 'application/json, text/event-stream';
    const headers = { 'content-type': 'application/json', accept, ...session };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return fetch(url, { method: 'POST', headers, body });
  };
  const clientInfo = { name: 'bench', version: '1' };
  const protocolVersion = '2025-11-25';
  const begun = await post('initialize', { protocolVersion, capabilities: {}, clientInfo });
  await begun.text();
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') };
  return {
    has: async (server) => {
      const params = { name: 'filter_tools', arguments: { pattern: `x_${server}_*` } };
      const answer = await (await post('tools/call', params, session)).text();
      return answer.includes(`x_${server}_read_item`);
    },
  };
};

/** A port without a server. */
const awayUrl = () => 'http://127.0.0.1:9';

const applyServer = (admin, name, url, autoStart = true) =>
  admin.apply({
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'MCPServer',
    metadata: { namespace: NAMESPACE, name },
    spec: { type: 'streamable-http', url, autoStart },
  });

const createServers = async (admin, urlOf) => {
  for (let index = 0; index < SERVERS; index += 1) {
    await applyServer(admin, `s${index}`, `${urlOf(index)}/s${index}/mcp`);
  }
};

const createObjects = async (admin) => {
  for (let index = 0; index < OBJECTS; index += CREATED_AT_ONCE) {
    const names = Array.from({ length: CREATED_AT_ONCE }, (_, more) => `o${index + more}`);
    await Promise.all(names.map((name) => applyServer(admin, name, awayUrl(), false)));
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
  await reportMemory(gateway, 'memory when ready');
  const found = await untilConnected(admin, OBJECTS === 0 ? SERVERS - AWAY : OBJECTS);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  report(`start to ${found} statuses ${STATE}`, `${seconds} s`);
  report('load of the machine', loadavg()[0].toFixed(1));
  await reportMemory(gateway, 'memory');
  return gateway;
};

const reportMemory = async (gateway, name) => {
  const { rss } = await gateway.ask('memory');
  report(name, `${(rss / MB).toFixed()} MB`);
};

/** From an applied object until its tools are in an answer, asked each 20 ms. */
const measureApply = async (gateway) => {
  const client = await mcpClient(gateway.url);
  const times = [];
  for (let index = 0; index < APPLIED; index += 1) {
    const name = `new${index}`;
    const startedAt = performance.now();
    await applyServer(admin, name, `${instant.url}/s${index + FLAPPING}/mcp`);
    while (!(await client.has(name))) await wait(20);
    times.push(performance.now() - startedAt);
    await admin.expect('DELETE', `${COLLECTION}/${name}`);
  }
  times.sort((a, b) => a - b);
  const shown = [0.5, 0.99].map((part) => `p${part * 100} ${percentile(times, part).toFixed()} ms`);
  report(`apply of a server to its tools (${APPLIED})`, shown.join(', '));
};

const byVerb = (requests) => {
  const counts = new Map();
  for (const { verb, resource } of requests) {
    const name = `${verb} ${resource}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${name}: ${count}`).join(', ');
};

const measureRest = async (gateway) => {
  await wait(20_000);
  const at = Date.now();
  const before = await gateway.ask('usage');
  await wait(REST_MS);
  const used = (await gateway.ask('usage')) - before;
  const requests = await requestsSince(at);
  const perMinute = (requests.length / REST_MS) * 60_000;
  report('requests per minute at rest', `${perMinute.toFixed(1)} (${byVerb(requests)})`);
  report('processor time at rest', `${((used / 1000 / REST_MS) * 100).toFixed(1)} % of a core`);
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
  const perSecond = new Map();
  for (const { resource, name, at: time } of requests) {
    if (resource !== 'mcpservers/status') continue;
    const second = `${name} ${Math.floor(time / 1000)}`;
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  report('most status writes of an object in a second', Math.max(0, ...perSecond.values()));
};

const leader = async () => (await admin.expect('GET', LEASE)).spec.holderIdentity;

const measureFailover = async (first) => {
  await start();
  const before = await leader();
  process.kill(first.pid, 'SIGKILL');
  const startedAt = performance.now();
  let slowest = 0;
  for (let at = startedAt; at - startedAt < 60_000; at = performance.now()) {
    if ((await leader()) !== before) break;
    slowest = Math.max(slowest, performance.now() - at);
    await wait(50);
  }
  report('slowest read of the Lease meanwhile', `${slowest.toFixed()} ms`);
  report(
    'failover of the leader after SIGKILL',
    `${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
};

try {
  for (const kind of ['MCPServer', 'Workflow', 'WorkflowExecution'])
    await own.cluster.define(createCustomResourceDefinition(kind));
  await admin.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  if (OBJECTS > 0) await createObjects(admin);
  else
    await createServers(admin, (index) => {
      if (index < FLAPPING) return flapping.url;
      return index < FLAPPING + AWAY ? awayUrl() : instant.url;
    });
  process.env.KUBECONFIG = await own.cluster.user('gateway', ['system:masters']);
  const first = await measureStart();
  if (PARTS.has('apply')) await measureApply(first);
  if (PARTS.has('rest')) await measureRest(first);
  if (PARTS.has('flapping')) await measureFlapping();
  if (PARTS.has('failover')) await measureFailover(first);
} finally {
  for (const gateway of gateways) await gateway.stop();
  flapping.close();
  await instant.stop();
  await own.close();
}
