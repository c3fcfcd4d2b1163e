// Measures the whole gateway in a process of its own, in front of 81 servers, and a bare node:http server beside it as the baseline.
//
//   node bench/gateway.mjs [--seconds 5] [--json]
import { fork, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, json: { type: 'boolean', default: false } },
});
const SERVERS = 81;
const CONNECTIONS = 16;
const TOOLSET = 'server:s1,server:s2,tool:x_s3_read_item_0,preset:read-only,preset:evens';
const here = import.meta.dirname;

const figures = {};
await withServers(4, async (port) => {
  await withGateway({ port, dead: 10 }, async ({ url, readyMs }) => {
    figures['ready with 10 dead of 81 servers'] = { ms: Math.round(readyMs) };
  });
  await withGateway({ port, dead: 0 }, async ({ url, pid }) => {
    for (const [name, tool, args] of [
      ['list_tools', 'list_tools', { limit: 10 }],
      ['filter_tools, first page', 'filter_tools', { query: 'read item of service' }],
      ['describe_tool', 'describe_tool', { name: 'x_s1_read_item_0' }],
      ['call_tool', 'call_tool', { name: 'x_s1_read_item_0', arguments: { id: '1' } }],
    ]) {
      figures[`${name}, no toolset`] = await load(url, call(tool, args), {});
      figures[`${name}, 5 selectors`] = await load(url, call(tool, args), {
        'x-gateway-toolset': TOOLSET,
      });
    }
    figures['baseline: bare node:http, 1 KB'] = await baseline();
    figures['resident memory after the load'] = { mb: residentMb(pid) };
  });
});
await withServers(13, async (port) => {
  await withGateway({ port, dead: 0 }, async ({ pid }) => {
    await new Promise((wake) => setTimeout(wake, 3000));
    figures[`idle, ${SERVERS * 13} tools`] = { mb: residentMb(pid) };
  });
});
if (values.json) console.log(JSON.stringify(figures));
else console.table(figures);

function call(name, args) {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
}

async function load(url, body, headers) {
  const request = {
    url,
    method: 'POST',
    body,
    connections: CONNECTIONS,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  };
  await autocannon({ ...request, duration: 1 });
  const { latency, requests, non2xx, errors, throughput } = await autocannon({
    ...request,
    duration: Number(values.seconds),
  });
  const bytes = Math.round(throughput.average / requests.average);
  return {
    'req/s': Math.round(requests.average),
    p50: latency.p50,
    p99: latency.p99,
    bytes,
    failed: non2xx + errors,
  };
}

async function baseline() {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: 'x'.repeat(1024) }] },
  });
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString());
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(JSON.parse(body)));
    });
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const figure = await load(
    `http://127.0.0.1:${server.address().port}/`,
    call('list_tools', {}),
    {},
  );
  server.close();
  return figure;
}

async function withServers(tools, use) {
  const child = fork(join(here, 'mcp-servers.mjs'), [String(SERVERS), String(tools)]);
  const { port } = await new Promise((ready) => child.once('message', ready));
  try {
    await use(port);
  } finally {
    child.disconnect();
  }
}

async function withGateway({ port, dead }, use) {
  const directory = configDirectory(port, dead);
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [resolve(here, '../dist/cli.js'), 'serve', '--config-dir', directory, '--port', '0'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  try {
    const origin = await listening(child.stderr);
    while (!(await fetch(`${origin}/readyz`)).ok) await new Promise((wake) => setTimeout(wake, 10));
    await use({ url: `${origin}/mcp`, pid: child.pid, readyMs: performance.now() - started });
  } finally {
    child.kill();
    await new Promise((exited) => child.once('exit', exited));
    rmSync(directory, { recursive: true });
  }
}

function configDirectory(port, dead) {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  mkdirSync(join(directory, 'mcpservers'));
  writeFileSync(
    join(directory, 'config.yaml'),
    'toolsetPresets: {evens: {include: [{pattern: "*_0"}], exclude: [{server: s9}]}}\n',
  );
  for (let index = 0; index < SERVERS; index += 1) {
    // Port 9 of the loopback address refuses.
    const url = index < dead ? 'http://127.0.0.1:9/mcp' : `http://127.0.0.1:${port}/s${index}/mcp`;
    writeFileSync(
      join(directory, `mcpservers/s${index}.yaml`),
      `apiVersion: gateway.internal/v1alpha1\nkind: MCPServer\nmetadata: {name: s${index}}\nspec: {type: streamable-http, url: "${url}", autoStart: true}\n`,
    );
  }
  return directory;
}

function listening(stderr) {
  return new Promise((found) => {
    createInterface({ input: stderr }).on('line', (line) => {
      const match = /"url":"([^"]+)"/u.exec(line);
      if (match && line.includes('listening')) found(match[1]);
    });
  });
}

function residentMb(pid) {
  const kb = /VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kb) / 1024);
}
