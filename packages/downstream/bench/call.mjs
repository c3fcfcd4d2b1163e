import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Pool } from 'undici';
import { createDownstream } from '../dist/index.js';

/**
 * What one tool call costs on its way to a remote server that answers at once: over undici alone with the JSON of the call written and
 * the answer's read (the floor), over a `Downstream`, and over the SDK's own client. The server runs in a process of its own; CPU is
 * that of this process. The least CPU and the median rate of interleaved rounds. `node bench/call.mjs [--json] [--seconds=1] [--rounds=3] [--only=bare,downstream]`, after a build.
 */
const option = (name, fallback) => {
  const found = process.argv.find((argument) => argument.startsWith(`--${name}=`));
  return found === undefined ? fallback : found.slice(name.length + 3);
};
const SECONDS = Number(option('seconds', 1));
const ROUNDS = Number(option('rounds', 3));
const ONLY = option('only', 'bare,downstream,sdk').split(',');
const IN_FLIGHT = 16;

const child = spawn(
  process.execPath,
  [fileURLToPath(new URL('./instant-server.mjs', import.meta.url))],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const [printed] = await once(child.stdout, 'data');
const origin = `http://127.0.0.1:${String(printed).trim()}`;

const eventData = (text) => text.slice(text.indexOf('data: ') + 6, text.lastIndexOf('\n\n'));

const bare = (path) => {
  const pool = new Pool(origin, { connections: 64 });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  let id = 0;
  const ask = async (length) => {
    id += 1;
    const params = { name: 'text', arguments: { length } };
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
    const answer = await pool.request({ method: 'POST', path, headers, body });
    const text = await answer.body.text();
    const message = JSON.parse(path === '/sse' ? eventData(text) : text);
    if (message.id !== id && message.result === undefined) throw new Error('a wrong answer');
    return message.result;
  };
  return { ask, close: () => pool.destroy() };
};

const through = async (path) => {
  const downstream = createDownstream({
    clientInfo: { name: 'bench', version: '1.0.0' },
    log: () => undefined,
  });
  downstream.apply([
    {
      apiVersion: 'gateway.internal/v1alpha1',
      kind: 'MCPServer',
      metadata: { name: 's', namespace: 'default', labels: {} },
      spec: {
        type: 'streamable-http',
        url: `${origin}${path}`,
        headers: {},
        autoStart: true,
        timeout: 30,
      },
    },
  ]);
  await downstream.settled();
  const ask = async (length) => {
    const call = { server: 's', tool: 'text', arguments: { length } };
    const outcome = await downstream.callTool(call);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
    // The result is the text of the server; the others parse theirs.
    return outcome.result.parse().value;
  };
  return { ask, close: () => downstream.close() };
};

const sdk = async (path) => {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}${path}`)));
  const ask = (length) => client.callTool({ name: 'text', arguments: { length } });
  return { ask, close: () => client.close() };
};

const measure = async ({ ask }, length) => {
  const until = performance.now() + SECONDS * 1_000;
  const cpu = process.cpuUsage();
  const began = performance.now();
  let calls = 0;
  const worker = async () => {
    while (performance.now() < until) {
      const { content } = await ask(length);
      if (content[0].text.length !== length) throw new Error('a wrong result');
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - began) / 1_000;
  return { cpu: (user + system) / calls, rate: calls / seconds };
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
/** Other work on the machine only ever adds to what a call costs. */
const least = (values) => Math.min(...values);

const rows = [];
for (const path of ['/json', '/sse'])
  for (const [size, length] of [
    ['1 KB', 1_000],
    ['100 KB', 100_000],
  ]) {
    const made = { bare: bare(path), downstream: await through(path), sdk: await sdk(path) };
    const peers = Object.entries(made).filter(([name]) => ONLY.includes(name));
    const rounds = peers.map(([name, peer]) => ({ name, peer, cpu: [], rate: [] }));
    for (const { peer } of rounds) await measure(peer, length);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const one of rounds) {
        const { cpu, rate } = await measure(one.peer, length);
        one.cpu.push(cpu);
        one.rate.push(rate);
      }
    const floor = least(rounds[0].cpu);
    for (const { name, cpu, rate } of rounds)
      rows.push({
        answer: path.slice(1),
        result: size,
        over: name,
        'CPU per call (us)': Number(least(cpu).toFixed(1)),
        'calls/s': Math.round(median(rate)),
        'CPU of floor (%)': Math.round((floor / least(cpu)) * 100),
      });
    for (const { close } of Object.values(made)) await close();
  }
child.kill();
if (process.argv.includes('--json')) console.log(JSON.stringify(rows));
else console.table(rows);
process.exit();
