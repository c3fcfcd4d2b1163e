import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonMap } from '@gateway/crd-schemas';
import { createIsolation, type Isolation } from '../../src/isolation/isolated-functions.ts';

const LIMITS = { processes: 1, memoryBytes: 64 * 1024 * 1024, timeoutMs: 60_000 };
let pool: Isolation;

afterEach(() => {
  pool.close();
});

const render = (template: string, data: JsonMap = {}, maxBytes = 64 * 1024 * 1024): JsonMap => ({
  kind: 'render',
  templates: [template],
  data,
  limits: { maxBytes, maxSteps: 1e15, now: 0 },
});

const isolate = (
  work: JsonMap,
  { user = '', run = {}, signal = new AbortController().signal } = {},
) => pool.isolate({ work: () => work, turn: { user, run }, signal });

/** Takes minutes and little memory. */
const LONG_TEMPLATE =
  '{{ $t := repeat 500000 "ab " }}{{ range 1000000 }}{{ $x := regexMatch "(a|b)*c" $t }}{{ end }}';
const LONG = render(LONG_TEMPLATE, {}, 1e12);
/** Holds more and more. */
const HUNGRY =
  '{{ $l := list }}{{ range 60 }}{{ $l = append $l (repeat 8000000 "a" | upper) }}{{ end }}';

describe('isolated work', () => {
  it('returns its result', async () => {
    pool = createIsolation(LIMITS);
    const pods = Array.from({ length: 20_000 }, (_unused, id) => ({ id }));
    const done = await isolate(render('{{ range .pods }}{{ .id }},{{ end }}', { pods }));
    const text = pods.map(({ id }) => `${String(id)},`).join('');
    expect(done).toMatchObject({ ok: true, value: { ok: true, values: [text] } });
  });

  it('escapes a text of two million characters within its memory', async () => {
    pool = createIsolation(LIMITS);
    const done = await isolate(render('{{ repeat 2000000 "a" | quote | len }}'));
    expect(done).toMatchObject({ ok: true, value: { ok: true, values: [2_000_002] } });
  });

  it('that needs too much memory fails, and later work succeeds', async () => {
    pool = createIsolation(LIMITS);
    expect(await isolate(render(HUNGRY))).toEqual({
      ok: false,
      error:
        'the rendering needs more than the 67108864 bytes of memory allowed (renderMemoryBytes)',
    });
    expect(await isolate(render('{{ upper "a" }}'))).toMatchObject({ ok: true });
  });

  it.each(['/no/such/program', 'refused\0'])(
    'fails when its process cannot be started as %j, and later work succeeds',
    async (program) => {
      pool = createIsolation(LIMITS);
      const { execPath } = process;
      process.execPath = program;
      try {
        expect(await isolate(render('{{ upper "a" }}'))).toEqual({
          ok: false,
          error: 'the process that renders large templates cannot be started',
        });
      } finally {
        process.execPath = execPath;
      }
      expect(await isolate(render('{{ upper "a" }}'))).toMatchObject({ ok: true });
    },
  );

  it('that takes too long fails, and later work succeeds', async () => {
    pool = createIsolation({ ...LIMITS, timeoutMs: 1000 });
    expect(await isolate(LONG)).toEqual({
      ok: false,
      error: 'the rendering takes longer than the 1 s allowed (renderTimeoutSeconds)',
    });
    pool.close();
    pool = createIsolation(LIMITS);
    expect(await isolate(render('{{ upper "a" }}'))).toMatchObject({ ok: true });
  });

  it('ends with the cancellation of its run, running or waiting', async () => {
    pool = createIsolation(LIMITS);
    const run = new AbortController();
    const works = [1, 2, 3].map(() => isolate(LONG, { signal: run.signal }));
    const other = isolate(render('{{ upper "b" }}'));
    run.abort();
    expect(await Promise.all(works)).toEqual(works.map(() => ({ ok: false, error: 'cancelled' })));
    expect(await other).toMatchObject({ ok: true, value: { values: ['B'] } });
  });

  it('fails when the pool is closed', async () => {
    pool = createIsolation(LIMITS);
    const work = isolate(LONG);
    pool.close();
    expect(await work).toMatchObject({ ok: false });
    expect(await isolate(render('{{ upper "a" }}'))).toMatchObject({ ok: false });
  });
});

it('a process that dies fails its own work, and no other', async () => {
  pool = createIsolation({ ...LIMITS, processes: 2 });
  const [hungry, other] = await Promise.all([
    isolate(render(HUNGRY)),
    isolate(render('{{ repeat 200000 "ab" | upper | len }}')),
  ]);
  expect(hungry).toMatchObject({ ok: false });
  expect(other).toMatchObject({ ok: true, value: { values: [400_000] } });
});

it('a process ends with its gateway, even in the middle of work', async () => {
  const gateway = spawn(
    process.execPath,
    [
      '--conditions=@gateway/source',
      join(import.meta.dirname, '../isolation/fixtures/killed-gateway.ts'),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(gateway.stdout, 'data');
  const [worker = ''] = readFileSync(
    `/proc/${String(gateway.pid)}/task/${String(gateway.pid)}/children`,
    'utf8',
  ).split(' ');
  await expect.poll(() => stateOf(worker), { timeout: 30_000 }).toBe('R');
  gateway.kill('SIGKILL');
  await expect.poll(() => stateOf(worker) ?? 'Z', { timeout: 30_000 }).toBe('Z');
});

const stateOf = (pid: string): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];
  } catch {
    // The process has ended.
    return undefined;
  }
};

describe('work of several users', () => {
  it('waits for one rendering of a user with many runs, and not for all of them', async () => {
    pool = createIsolation(LIMITS);
    const order: string[] = [];
    const done = (user: string) => (): void => void order.push(user);
    const heavy = render('{{ range 20000 }}{{ upper "abcdefgh" }}{{ end }}');
    const many = Array.from({ length: 20 }, () =>
      isolate(heavy, { user: 'one' }).then(done('one')),
    );
    const other = { user: 'other', run: {} };
    for (const _ of [1, 2, 3]) await isolate(render('{{ upper "a" }}'), other).then(done('other'));
    await Promise.all(many);
    expect(order.slice(0, 6)).toEqual(['one', 'other', 'one', 'other', 'one', 'other']);
  });
});
