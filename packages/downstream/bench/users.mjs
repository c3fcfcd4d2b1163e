/**
 * Connects users to servers with sign-in and prints the heap that they use: node bench/users.mjs [users] [servers] [tools].
 * The servers run in a process of their own.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createPrincipal } from '@gateway/call-contract';
import { parseMcpServer } from '@gateway/crd-schemas';
import { createDownstream } from '../dist/index.js';

const [users = 10_000, servers = 10, tools = 20] = process.argv.slice(2).map(Number);

const serve = () => {
  const list = Array.from({ length: tools }, (_, index) => ({
    name: `tool_${index}`,
    description: `Does the work of tool ${index} on the records of the user who calls it.`,
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string' }, limit: { type: 'integer' } },
      required: ['query'],
    },
  }));
  const results = {
    'server/discover': {
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      serverInfo: { name: 'bench', version: '1.0.0' },
    },
    'tools/list': { tools: list },
  };
  const server = createServer(async (request, response) => {
    if (request.headers.authorization === undefined) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
};

const definitionOf = (index, port) => {
  const parsed = parseMcpServer({
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'MCPServer',
    metadata: { name: `server-${index}` },
    spec: {
      type: 'streamable-http',
      url: `http://127.0.0.1:${port}/${index}`,
      autoStart: true,
      auth: { type: 'oauth' },
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  return parsed.value;
};

const credentials = {
  findKind: () => 'oauth',
  current: (_server, { subject }) => ({
    ok: true,
    credential: { authorization: `Bearer ${subject}`, id: subject },
  }),
  renewRejected: async () => ({ ok: false, code: 'sign-in-again', reason: 'refused' }),
  onChange: () => () => undefined,
};

const heapMiB = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
};

const measure = async () => {
  const child = fork(import.meta.filename, process.argv.slice(2), { env: { SERVE: '1' } });
  const [port] = await once(child, 'message');
  const downstream = createDownstream({
    clientInfo: { name: 'bench', version: '1.0.0' },
    log: () => undefined,
    credentials,
    users: { maxConnections: 200 },
  });
  downstream.apply(Array.from({ length: servers }, (_, index) => definitionOf(index, port)));
  await downstream.settled();
  const before = heapMiB();
  const started = performance.now();
  const connected = async (from) => {
    for (let index = from; index < users; index += 6) {
      const principal = createPrincipal({
        issuer: 'https://issuer.example.com',
        subject: `user-${index}`,
      });
      await downstream.prepare(principal);
      const seen = downstream.inventoriesFor(principal)?.length ?? 0;
      if (seen !== servers) throw new Error(`user ${index} sees ${seen} servers`);
    }
  };
  await Promise.all([0, 1, 2, 3, 4, 5].map(connected));
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `${users} users x ${servers} servers x ${tools} tools: ${(heapMiB() - before).toFixed(1)} MiB of heap more (${before.toFixed(1)} MiB before), ${seconds.toFixed(0)} s`,
  );
  await downstream.close();
  child.kill();
};

if (process.env.SERVE === '1') serve();
else await measure();
