import { Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import { fixture } from '../harness/fixture.ts';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { atEnd, setUp, testDirectory } from '../harness/lifetime.ts';
import { rawRequest, rawSession } from '../harness/raw-http.ts';

const WARM_UP = 3000;
const REQUESTS = 10_000;
const AT_ONCE = 8;
/** Tolerance between two measurements of an unchanged heap: running requests and compiled code. */
const NOISE_BYTES = 1.5 * 1024 * 1024;
/** Makes the gateway collect garbage on request, so that the used heap is the retained heap. */
const COLLECTING = 'data:text/javascript,process.on("SIGUSR2", () => globalThis.gc())';

const directory = testDirectory();
let gateway: RunningGateway;
let connections: Pool;

setUp(async () => {
  directory.config({
    toolsetPresets: { demo: { include: [{ label: 'team' }, { pattern: 'x_*' }] } },
  });
  directory.server('one', fixture('plain'), { team: 'files' });
  directory.server('many', fixture('many-tools', { args: ['200'] }));
  gateway = await startGateway(directory.path, { node: ['--expose-gc', '--import', COLLECTING] });
  connections = new Pool(gateway.url, { connections: AT_ONCE });
  atEnd(() => connections.close());
});

/** A fixed sequence of numbers below `limit`, so that every run sends the same headers. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * limit);
  };
}

const next = numbers(7);
const VALID = ['preset:demo', 'preset:full', 'preset:none', 'preset:read-only', 'tool:x_one_echo'];
const INVALID = ['preset:n', 'toolset:n', 'label:n=', 'Server:', '', 'tool:a b', '__proto__'];

/** A header value, valid or not, that hardly ever repeats. */
function randomToolset(): string {
  const selectors = Array.from({ length: 1 + next(12) }, () =>
    next(3) === 0 ? VALID[next(VALID.length)] : `server:n${String(next(1_000_000_000))}`,
  );
  if (next(2) === 0) return selectors.join(',');
  const wrong = `${INVALID[next(INVALID.length)] ?? ''}${String(next(1_000_000_000))}`;
  return next(10) === 0 ? 'server:n,'.repeat(32) + wrong : [...selectors, wrong].join(' , ');
}

const CALLS = [
  { name: 'filter_tools', arguments: { query: 'tool', limit: 1 } },
  { name: 'describe_tool', arguments: { name: 'x_one_echo' } },
  { name: 'list_prompts' },
  { name: 'call_tool', arguments: { name: 'x_many_tool_1' } },
];

async function send(session: string, id: number): Promise<'served' | 'refused'> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: CALLS[next(CALLS.length)],
  });
  const response = await connections.request({
    path: '/mcp',
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'Mcp-Session-Id': session,
      'X-Gateway-Toolset': randomToolset(),
    },
    body,
  });
  const { result } = (await response.body.json()) as { result: { isError?: boolean } };
  return result.isError === true ? 'refused' : 'served';
}

async function sendMany(session: string, count: number): Promise<Record<string, number>> {
  const outcomes = { served: 0, refused: 0 };
  let sent = 0;
  const worker = async (): Promise<void> => {
    while (sent < count) outcomes[await send(session, (sent += 1))] += 1;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return outcomes;
}

/** Returns the minimum of several measurements of the used heap, each after a garbage collection. */
async function usedHeap(): Promise<number> {
  const looks: number[] = [];
  for (let look = 0; look < 10; look += 1) {
    gateway.child.kill('SIGUSR2');
    await new Promise((wake) => setTimeout(wake, 50));
    const { body } = await rawRequest(gateway.url, { path: '/metrics', method: 'GET' });
    looks.push(Number(/^nodejs_heap_size_used_bytes (\d+)$/mu.exec(body)?.[1]));
  }
  return Math.min(...looks);
}

describe('10,000 requests of one session with random valid and invalid headers', () => {
  it('do not grow the heap after a warm-up', async () => {
    const session = await rawSession(gateway.url);
    await sendMany(session, WARM_UP);
    const before = await usedHeap();
    const { served = 0, refused = 0 } = await sendMany(session, REQUESTS);
    const after = await usedHeap();
    expect([served > 1000, refused > 1000]).toEqual([true, true]);
    expect(after - before).toBeLessThan(NOISE_BYTES);
  });
});
