import { setUp, testDirectory } from '../harness/lifetime.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rawAnswer } from '../fixtures/raw-answers.mjs';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { listenHttp } from '../harness/http-listener.ts';
import { rpcOf, toolCallOf } from '../harness/mcp-posts.ts';

const MB = 1_000_000;

/** A list of a repeated item, as bytes. */
const list = (item: string, bytes: number): Buffer => {
  const body = Buffer.alloc(bytes, `${item},`);
  const whole = bytes - (bytes % (item.length + 1));
  return Buffer.concat([Buffer.from('['), body.subarray(0, whole), Buffer.from('0]')]);
};

const result = (content: Buffer): readonly Buffer[] => [
  Buffer.from('{"content":[],"structuredContent":'),
  content,
  Buffer.from('}'),
];

const keys = (count: number): string =>
  Array.from({ length: count }, (_, n) => `"${n.toString(36)}":1`).join(',');

/** The parts of the results that must not end the process. */
const SHAPES: Readonly<Record<string, readonly Buffer[]>> = {
  'empty arrays, 40 MB': result(list('[]', 40 * MB)),
  'empty arrays, 60 MB': result(list('[]', 60 * MB)),
  'objects of lists, 60 MB': result(list('{"a":{"b":[]}}', 60 * MB)),
  'short keys, 30 MB': result(Buffer.from(`{${keys(3 * MB)}}`)),
  '_meta of 4 MB': [Buffer.from(`{"content":[],"_meta":{${keys(400_000)}}}`)],
};

const directory = testDirectory();
let gateway: RunningGateway;

/** A server whose tool `echo` answers with the shape that its arguments name. */
const startHostile = () =>
  listenHttp(({ method }, response, body) => {
    const answer = method === 'POST' ? rawAnswer(body, false) : undefined;
    if (answer === undefined) {
      response.writeHead(method === 'POST' ? 202 : 405).end();
      return;
    }
    const { id, params } = JSON.parse(body) as {
      id: number;
      params?: { arguments?: { shape?: string } };
    };
    const shape = SHAPES[params?.arguments?.shape ?? ''];
    const parts =
      shape === undefined
        ? [Buffer.from(answer)]
        : [Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":`), ...shape, Buffer.from('}')];
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
    for (const part of parts) response.write(part);
    response.end();
  });

setUp(async () => {
  const url = `${await startHostile()}/mcp`;
  const server = { type: 'streamable-http', url, autoStart: true };
  for (const name of ['hostile', 'canary']) directory.server(name, server);
  directory.server('whole', { ...server, maxResultBytes: 0 });
  directory.workflow('reads', {
    args: { shape: { type: 'string' } },
    steps: [{ id: 'one', tool: 'x_hostile_echo', args: { shape: '{{ .input.shape }}' } }],
  });
  const probe = new URL('../fixtures/longest-turn.mjs', import.meta.url).href;
  gateway = await startGateway(directory.path, {
    node: ['--import', probe],
    env: {
      NODE_OPTIONS: '--max-old-space-size=512',
      LONGEST_TURN_START: join(directory.path, 'start'),
      LONGEST_TURN_RESULT: join(directory.path, 'longest'),
    },
  });
  directory.write('start', '');
});

/** Posts a message. Returns the size of the answer and its beginning. */
const post = async (message: object): Promise<{ bytes: number; head: string }> => {
  const answer = await fetch(new URL('/mcp', gateway.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(message),
  });
  let bytes = 0;
  let head = '';
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    if (head.length < 1_000) head += Buffer.from(chunk).toString();
    bytes += chunk.length;
  }
  return { bytes, head: head.slice(0, 1_000) };
};

const call = (name: string, args: object) => post(toolCallOf(name, args));

/** Calls the other server until the task ends. */
const canaryDuring = async (task: Promise<unknown>): Promise<void> => {
  const state = { isOver: false };
  void task.finally(() => (state.isOver = true));
  do expect((await call('x_canary_echo', {})).head).toContain('"n":1.10');
  while (!state.isOver);
};

/** Returns the processor time of the longest turn since the measurement began, in milliseconds. */
const longestTurn = (): number => Number(readFileSync(join(directory.path, 'longest'), 'utf8'));

describe('a process of 512 MB', () => {
  it.each([
    ['empty arrays, 40 MB', 40 * MB],
    ['empty arrays, 60 MB', 60 * MB],
    ['objects of lists, 60 MB', 60 * MB],
    ['short keys, 30 MB', 25 * MB],
  ])('forwards %s, and serves others meanwhile', async (shape, atLeast) => {
    const forwarded = call('x_whole_echo', { shape });
    await canaryDuring(forwarded);
    expect((await forwarded).bytes).toBeGreaterThan(atLeast - 100);
    // 17 ms are measured; a collection of garbage adds to it.
    expect(longestTurn()).toBeLessThan(50);
  });

  it.each([
    ['empty arrays, 40 MB', '[13333334 × []]'],
    ['empty arrays, 60 MB', '[20000001 × []]'],
    ['objects of lists, 60 MB', '[4000001 × {a: {b: []}}]'],
    ['short keys, 30 MB', '{0: number, 1: number'],
  ])('truncates %s, shows the shape, and serves others meanwhile', async (shape, expected) => {
    const truncated = call('x_hostile_echo', { shape });
    await canaryDuring(truncated);
    expect((await truncated).head).toContain(expected);
    expect(longestTurn()).toBeLessThan(50);
  });

  it.each([{ path: '$.a' }, { path: '$.zz' }, { path: '$', offset: 20 * MB }])(
    'reads %j of a kept result of 30 MB, and serves others meanwhile',
    async (part) => {
      const { head } = await call('x_hostile_echo', { shape: 'short keys, 30 MB' });
      const [uri] = /gateway:\/\/results\/[\w-]+/u.exec(head) ?? [];
      const read = post(rpcOf('tools/call', { name: 'get_resource', arguments: { uri, ...part } }));
      await canaryDuring(read);
      expect((await read).head).toContain('application/json');
      expect((await read).head).not.toContain('"isError":true');
      expect(longestTurn()).toBeLessThan(50);
    },
  );

  it('refuses a _meta of 4 MB, and serves others meanwhile', async () => {
    const refused = call('x_hostile_echo', { shape: '_meta of 4 MB' });
    await canaryDuring(refused);
    expect((await refused).head).toContain(
      'server hostile sent an invalid response: its _meta has',
    );
  });

  it.each(Object.keys(SHAPES).slice(0, 4))('does not parse %s for a workflow', async (shape) => {
    const run = call('workflow_reads', { shape });
    await canaryDuring(run);
    expect((await run).head).toMatch(/is not read: it (?:is larger than|has more than) \d+/u);
  });
});
