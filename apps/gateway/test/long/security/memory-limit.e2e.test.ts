import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { connect as connectSocket, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture } from '../../harness/fixture.ts';
import { CLI } from '../../harness/gateway.ts';
import { testDirectory } from '../../harness/lifetime.ts';
import { rawCall, rawRequest, rawSession } from '../../harness/raw-http.ts';

const MIB = 1024 * 1024;
const LIMIT_MB = 512;
const BODIES = 200;
const READERS = 100;

/** Creates a memory cgroup; `undefined` where this process may not, as in most containers. */
function createCgroup(): string | undefined {
  const path = `/sys/fs/cgroup/memory/gateway-test-${String(process.pid)}`;
  try {
    mkdirSync(path);
    writeFileSync(`${path}/memory.limit_in_bytes`, String(LIMIT_MB * MIB));
    return path;
  } catch {
    return undefined;
  }
}

const cgroup = createCgroup();
/** The heap that Node chooses in such a cgroup. */
const HEAP_MB = 259;

const directory = testDirectory();
const sockets: Socket[] = [];
let child: ChildProcess;
let url: URL;

/** Starts the gateway inside of the cgroup, so that Node chooses its heap by the limit. */
async function start(): Promise<void> {
  const serve = [CLI, 'serve', '--config-dir', directory.path, '--port', '0'];
  const [command, ...args] =
    cgroup === undefined
      ? [process.execPath, `--max-old-space-size=${String(HEAP_MB)}`, ...serve]
      : [
          'sh',
          '-c',
          'echo $$ > "$0/cgroup.procs" && exec "$@"',
          cgroup,
          process.execPath,
          ...serve,
        ];
  child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  if (child.stderr === null) throw new Error('no standard error');
  const lines = createInterface({ input: child.stderr });
  url = await new Promise<URL>((resolve) => {
    lines.on('line', (line) => {
      const { msg, url: address } = JSON.parse(line) as { msg: string; url?: string };
      if (msg === 'listening' && address !== undefined) resolve(new URL(address));
    });
  });
}

/** Sends bytes on a connection of its own and reads nothing. */
async function sendOnly(bytes: string | Buffer): Promise<void> {
  const socket = connectSocket(Number(url.port), url.hostname);
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  socket.pause();
  socket.write(bytes);
}

const head = (length: number): string =>
  [
    'POST /mcp HTTP/1.1',
    `Host: ${url.host}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${String(length)}`,
    '\r\n',
  ].join('\r\n');

beforeAll(async () => {
  directory.server('many', fixture('many-tools', { args: ['1000'] }));
  directory.server('plain', fixture('plain'));
  await start();
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill();
    await exited;
  }
  directory.remove();
  // The watchdog of the servers ends a moment after the gateway.
  for (let attempt = 0; cgroup !== undefined && attempt < 100; attempt += 1) {
    try {
      rmdirSync(cgroup);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
});

const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;

async function isServing(): Promise<void> {
  expect(isAlive()).toBe(true);
  expect((await rawRequest(url, { method: 'GET', path: '/healthz' })).status).toBe(200);
  const { text } = await rawCall(url, { name: 'describe_tool', arguments: { name: 'none' } });
  expect(text).toBe('Tool not found: none');
}

const place =
  cgroup === undefined
    ? `with a heap of ${String(HEAP_MB)} MB, because cgroups cannot be created here,`
    : `in a cgroup of ${String(LIMIT_MB)} MB`;

describe(`a gateway ${place}`, () => {
  it('survives unfinished large bodies', async () => {
    const half = Buffer.alloc(2 * MIB, ' ');
    for (let count = 0; count < BODIES; count += 1)
      await sendOnly(Buffer.concat([Buffer.from(head(4 * MIB - 1)), half]));
    await isServing();
  });

  it('survives large answers that no caller reads', async () => {
    const call = { name: 'list_tools', arguments: { limit: 1_000 } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
    const request = head(Buffer.byteLength(body)) + body;
    for (let count = 0; count < READERS; count += 1) await sendOnly(request.repeat(20));
    await isServing();
  });

  it('survives deep and repetitive JSON', async () => {
    const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'['.repeat(MIB)}`;
    const wide = `[${'0,'.repeat(2 * MIB - 4)}0]`;
    for (const body of [deep, wide, deep, wide]) await sendOnly(head(body.length) + body);
    await isServing();
  });

  it('survives more sessions than it stores', async () => {
    for (let count = 0; count < 1_500; count += 1) await rawSession(url);
    await isServing();
  });

  it('stays below the limit', () => {
    const status = readFileSync(`/proc/${String(child.pid)}/status`, 'utf8');
    const peakMb = Number(/VmHWM:\s+(\d+) kB/u.exec(status)?.[1]) / 1024;
    expect(peakMb).toBeLessThan(LIMIT_MB);
    expect(peakMb).toBeGreaterThan(50);
  });
});
