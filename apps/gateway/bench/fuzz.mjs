// Sends damaged HTTP and JSON-RPC frames of both protocol eras to a gateway, beside a client whose answers must stay right.
// The same seed sends the same frames; --from and --frames repeat a part of a run.
//
//   node bench/fuzz.mjs [--frames <n>] [--seed <n>] [--from <n>] [--json <file>] [--gateway <cli.js>]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCanary } from './fuzz/canary.mjs';
import { corpusOf } from './fuzz/corpus.mjs';
import { sendFrame } from './fuzz/frame-client.mjs';
import { frameFor } from './fuzz/mutations.mjs';
import { randomOf } from './fuzz/random.mjs';
import { readResponses } from './fuzz/response-reader.mjs';
import { CLI } from './gateway-process.mjs';

const { values: options } = parseArgs({
  options: {
    frames: { type: 'string', default: '50000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    json: { type: 'string' },
    gateway: { type: 'string', default: CLI },
  },
});
const SEED = Number(options.seed);
const FROM = Number(options.from);
const END = FROM + Number(options.frames);
const CONNECTIONS = 96;
const MAX_PROBLEMS = 20;
const FRAMES_PER_SESSION = 500;
const STDIO_SERVER = join(import.meta.dirname, 'servers/instant-stdio.mjs');

const directory = mkdtempSync(join(tmpdir(), 'gateway-fuzz-'));
const report = {
  seed: SEED,
  from: FROM,
  frames: 0,
  statuses: {},
  cut: 0,
  problems: [],
  errorLines: [],
};
const gateway = await start();
try {
  await run();
} finally {
  gateway.child.kill();
  await Promise.race([gateway.exited, wait(15_000).then(() => gateway.child.kill('SIGKILL'))]);
  rmSync(directory, { recursive: true, force: true });
}
finish();

async function start() {
  mkdirSync(join(directory, 'mcpservers'));
  writeFileSync(join(directory, 'config.yaml'), 'http: {maxSessions: 200}\n');
  const spec = { type: 'stdio', command: process.execPath, args: [STDIO_SERVER], autoStart: true };
  const manifest = { apiVersion: 'gateway.internal/v1alpha1', kind: 'MCPServer' };
  const server = { ...manifest, metadata: { name: 'local' }, spec };
  writeFileSync(join(directory, 'mcpservers/local.yaml'), JSON.stringify(server));
  const args = ['serve', '--config-dir', directory, '--port', '0'];
  const child = spawn(process.execPath, [options.gateway, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let url;
  createInterface({ input: child.stderr }).on('line', (line) => {
    const { level, msg, url: listening } = parsed(line);
    if (msg === 'listening' && listening !== undefined) url = new URL(listening);
    if (level === undefined || level >= 50 || level === 'error') report.errorLines.push(line);
  });
  while (url === undefined && child.exitCode === null) await wait(20);
  if (url === undefined)
    throw new Error(`the gateway does not start: ${report.errorLines.join('\n')}`);
  while (!(await fetch(new URL('/readyz', url))).ok) await wait(20);
  return { child, exited, url };
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

async function run() {
  let corpus = corpusOf(await openSession());
  const canary = startCanary(new URL('/mcp', gateway.url));
  const began = performance.now();
  let next = FROM;
  const worker = async () => {
    while (next < END && isSound()) {
      const number = next;
      next += 1;
      // Frames end and evict the session of the corpus.
      if (number % FRAMES_PER_SESSION === 0) corpus = corpusOf(await openSession());
      await one(number, frameFor(randomOf(SEED, number), corpus));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  report.seconds = (performance.now() - began) / 1000;
  report.canary = await canary.stop();
  await settle();
}

function isSound() {
  return report.problems.length < MAX_PROBLEMS && gateway.child.exitCode === null;
}

async function openSession() {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'fuzz', version: '1' },
  };
  const response = await fetch(new URL('/mcp', gateway.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  await response.text();
  return response.headers.get('mcp-session-id');
}

async function one(number, frame) {
  try {
    const { statuses, isCut, isStream } = readResponses(await sendFrame(gateway.url.port, frame));
    for (const status of statuses) report.statuses[status] = (report.statuses[status] ?? 0) + 1;
    if (isCut) report.cut += 1;
    if (isCut && isStream !== true && !frame.endsEarly && !frame.resets)
      throw new Error('an answer is cut');
  } catch (error) {
    const bytes = frame.bytes.toString('latin1').slice(0, 400);
    report.problems.push({ frame: number, names: frame.names, problem: error.message, bytes });
  }
  report.frames += 1;
}

/** Records what the gateway holds after the last frame. */
async function settle() {
  await wait(1_000);
  report.queued = await figure('gateway_queued_calls');
  report.sessions = await figure('gateway_sessions');
  report.residentMb = residentMb();
  report.isAlive = gateway.child.exitCode === null;
}

async function figure(name) {
  const text = await (await fetch(new URL('/metrics', gateway.url))).text();
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
}

function residentMb() {
  const status = readFileSync(`/proc/${gateway.child.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

function finish() {
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(report, null, 2));
  const { canary, ...rest } = report;
  const isFine =
    report.isAlive === true &&
    report.problems.length === 0 &&
    report.errorLines.length === 0 &&
    canary.wrong.length === 0;
  const text = `${JSON.stringify({ ...rest, canary }, null, 2)}\n`;
  // Node can wait for ever for its closing sockets when it ends by itself.
  process.stdout.write(text, () => process.exit(isFine ? 0 : 1));
}
