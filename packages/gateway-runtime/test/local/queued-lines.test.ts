import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { RotatingLines } from '@gateway/files';
import { retryAssertion } from '@gateway/repo-checks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LINE_QUEUE_LIMITS, QueuedLines } from '../../src/local/open-audit-log.ts';

let base = '';
beforeEach(async () => {
  base = await mkdtemp(path.join(os.tmpdir(), 'audit-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const LIMITS = { ...LINE_QUEUE_LIMITS, gatherMs: 1, retryMs: 1, closeMs: 60_000 };

function queue(limits: Partial<typeof LIMITS> = {}, maxBytes = 1_000_000) {
  const file = path.join(base, 'logs', 'audit.log');
  const logged: string[] = [];
  const state = { file, logged, lost: 0 };
  const log = (...[facts, text]: [string | object, string?]): void => {
    logged.push(typeof facts === 'string' ? facts : (text ?? ''));
  };
  const lines = new QueuedLines(
    new RotatingLines(file, { maxBytes, maxFiles: 100 }),
    {
      logger: { warn: log, info: log } as never,
      onLost: (count) => {
        state.lost += count;
      },
    },
    { ...LIMITS, ...limits },
  );
  return Object.assign(state, { lines });
}

describe('lines that wait', () => {
  it('are written in order when the queue closes', async () => {
    const { lines, file, logged, lost } = queue();
    for (let number = 0; number < 5000; number += 1) lines.write(`{"n":${String(number)}}`);
    await lines.close();
    const expected = Array.from({ length: 5000 }, (_, number) => `{"n":${String(number)}}\n`);
    expect(await readFile(file, 'utf8')).toBe(expected.join(''));
    expect({ logged, lost }).toEqual({ logged: [], lost: 0 });
  });

  it('are all in exactly one of the rotated files', async () => {
    const { lines } = queue({ batch: 2000 }, 2000);
    for (let number = 0; number < 3000; number += 1) {
      lines.write(`{"n":${String(number)}}`);
      if (number % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await lines.close();
    const directory = path.join(base, 'logs');
    const names = await readdir(directory);
    expect(names.length).toBeGreaterThan(10);
    const texts = await Promise.all(
      names.map((name) => readFile(path.join(directory, name), 'utf8')),
    );
    const numbers = texts.flatMap((text) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { n: number }).n),
    );
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 3000 }, (_, n) => n));
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(2000);
  });

  it('are written once the file can be written, with one warning for the time between', async () => {
    const state = queue();
    await mkdir(state.file, { recursive: true });
    state.lines.write('one');
    await expect
      .poll(() => state.logged)
      .toEqual(['the audit log cannot be written: it is not a regular file; it is tried again']);
    state.lines.write('two');
    await rm(state.file, { recursive: true });
    await retryAssertion(async () => expect(await readFile(state.file, 'utf8')).toBe('one\ntwo\n'));
    await expect.poll(() => state.logged.slice(1)).toEqual(['the audit log is written again']);
    expect(state.lost).toBe(0);
    await state.lines.close();
  });

  it('have one warning when the file cannot be written before the first of them', async () => {
    const state = queue();
    await mkdir(state.file, { recursive: true });
    state.lines.open();
    await expect
      .poll(() => state.logged)
      .toEqual(['the audit log cannot be written: it is not a regular file; it is tried again']);
    await rm(state.file, { recursive: true });
    state.lines.write('one');
    await state.lines.close();
    expect(await readFile(state.file, 'utf8')).toBe('one\n');
    expect(state.logged.slice(1)).toEqual(['the audit log is written again']);
  });

  it('have no warning when the file can be written, which is created empty', async () => {
    const state = queue();
    state.lines.open();
    await state.lines.close();
    expect(await readFile(state.file, 'utf8')).toBe('');
    expect(state.logged).toEqual([]);
  });

  it('are lost beyond the limit and when the file still fails at the end, each counted, with one warning', async () => {
    const state = queue({ maxWaiting: 10 });
    await mkdir(state.file, { recursive: true });
    for (const line of ['12345', '1234', '1', '2']) state.lines.write(line);
    expect(state.lost).toBe(2);
    await state.lines.close();
    state.lines.write('late');
    expect(state.lost).toBe(5);
    expect(state.logged.filter((text) => text.includes('are lost'))).toEqual([
      'records of the audit log are lost; gateway_audit_records_lost_total counts them',
    ]);
  });
});

it('does not wait for a writer that never ends', async () => {
  const state = { lost: 0 };
  const never = {
    open: () => Promise.resolve(),
    append: () => new Promise<void>(() => undefined),
    close: () => Promise.resolve(),
  };
  const lines = new QueuedLines(
    never,
    {
      logger: { warn: () => undefined, info: () => undefined },
      onLost: (count) => {
        state.lost += count;
      },
    },
    { ...LIMITS, closeMs: 20 },
  );
  lines.write('a');
  await new Promise((resolve) => setTimeout(resolve, 5));
  await lines.close();
  expect(state.lost).toBe(1);
});
