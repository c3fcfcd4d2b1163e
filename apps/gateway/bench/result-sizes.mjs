/**
 * Processor time of one `call_tool` by the size of its result, for one build or for several in turns:
 * `node bench/result-sizes.mjs [dist/cli.js ...]`. Linux only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

const ROUNDS = 5;
const SIZES = { small: [200, 3_000], '1 MB': [1_000_000, 60], '10 MB': [10_000_000, 12] };
const LINE = 'a line of "text" of a log file, as servers send it\n';
const TICKS_PER_SECOND = 100;

const resultOf = (bytes) => {
  const content = LINE.repeat(Math.ceil(bytes / LINE.length)).slice(0, bytes);
  return `{"content":[{"type":"text","text":${JSON.stringify(content)}}]}`;
};
const RESULTS = new Map(Object.entries(SIZES).map(([name, [bytes]]) => [name, resultOf(bytes)]));

const answerTo = ({ method, params }) => {
  if (method === 'tools/call') return RESULTS.get(params.arguments.size);
  if (method === 'tools/list') return '{"tools":[{"name":"get","inputSchema":{"type":"object"}}]}';
  if (method === 'initialize')
    return '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sizes","version":"1"}}';
  return undefined;
};

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end();
  const message = JSON.parse(await text(request));
  if (message.id === undefined) return response.writeHead(202).end();
  const result = answerTo(message);
  const rest = result ? `"result":${result}` : '"error":{"code":-32601,"message":"none"}';
  const body = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},${rest}}`;
  return response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}).listen(0, '127.0.0.1');
await once(server, 'listening');

const directory = mkdtempSync(join(tmpdir(), 'result-sizes-'));
mkdirSync(join(directory, 'mcpservers'));
writeFileSync(
  join(directory, 'mcpservers/sizes.yaml'),
  `apiVersion: gateway.internal/v1alpha1
kind: MCPServer
metadata: { name: sizes }
spec: { type: streamable-http, url: "http://127.0.0.1:${server.address().port}/mcp", autoStart: true }
`,
);

const start = async (cli) => {
  const args = [cli, 'serve', '--config-dir', directory, '--port', '0', '--no-health-listener'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => (log += chunk));
  while (!log.includes('"Connected"') || !log.includes('"listening"')) await pause(50);
  const url = new URL('/mcp', /"url":"([^"]+)"/.exec(log)[1]);
  return { cli, child, url, used: new Map() };
};

const cpuMs = ({ child }) => {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
};

const call = async ({ url }, size) => {
  const params = { name: 'call_tool', arguments: { name: 'x_sizes_get', arguments: { size } } };
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  if ((await answer.arrayBuffer()).byteLength < SIZES[size][0]) throw new Error('a short answer');
};

const builds =
  process.argv.length > 2 ? process.argv.slice(2) : [join(import.meta.dirname, '../dist/cli.js')];
const gateways = [];
for (const cli of builds) gateways.push(await start(cli));
for (let round = -1; round < ROUNDS; round += 1)
  for (const [size, [, calls]] of Object.entries(SIZES))
    for (const gateway of gateways) {
      const before = cpuMs(gateway);
      for (let done = 0; done < calls; done += 1) await call(gateway, size);
      const perCall = (cpuMs(gateway) - before) / calls;
      // The first round warms up.
      if (round >= 0) gateway.used.set(size, [...(gateway.used.get(size) ?? []), perCall]);
    }
for (const { cli, used, child } of gateways) {
  for (const [size, times] of used) {
    const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
    console.log(`${cli}: ${size}: ${median.toFixed(3)} ms of processor time per call`);
  }
  child.kill();
}
server.close();
server.closeAllConnections();
rmSync(directory, { recursive: true, force: true });
process.exit();
