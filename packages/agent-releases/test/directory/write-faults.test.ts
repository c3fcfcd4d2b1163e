import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentStore, Json } from '../../src/store/agent-store.ts';
import { describe, expect, it } from 'vitest';
import { valueOf } from '../suite/agent-store-suite.ts';
import { toName, NAMESPACE, releaseOf } from '../suite/sample-objects.ts';
import { releaseDirectory, type ReleaseDirectory } from './release-directory.ts';
import { bundledWriter, startWriter } from './writer-process.ts';

bundledWriter();

/** Processes are started on machines that may have one core. */
const PATIENT = { timeout: 60_000 } as const;
const MOST_STEPS = 30;

const readReleaseValues = async (store: AgentStore, name: string): Promise<Json | undefined> =>
  valueOf(await store.getRelease(toName(name)))?.object.spec?.['values'] as Json | undefined;

/** A directory with a release `b`, and `a` where it is to be changed. */
const prepared = async (what: string): Promise<ReleaseDirectory> => {
  const directory = await releaseDirectory();
  for (const name of what === 'create' ? ['b'] : ['a', 'b']) {
    const release = releaseOf(name, { text: 'old'.padEnd(5_000, '.') });
    await directory.write(`releases/default/${name}.yaml`, JSON.stringify(release));
  }
  return directory;
};

/** The release `a` after a writer was killed, in the first letters of its text; nothing else may have changed. */
const leftIn = async (directory: ReleaseDirectory): Promise<string> => {
  const store = await directory.open();
  expect(directory.warnings).toEqual([]);
  const text = (await readReleaseValues(store, 'a'))?.['text'];
  if (text !== undefined) {
    expect(text).toMatch(/^(old\.{4997}|new\.{9997})$/);
  }
  expect((await readReleaseValues(store, 'b'))?.['text']).toMatch(/^old/);
  const files = text === undefined ? ['b.yaml'] : ['a.yaml', 'b.yaml'];
  expect(await directory.names('releases/default')).toEqual(files);
  expect(await directory.names('.locks')).toEqual([]);
  // Nothing that was left keeps the next one from writing.
  if (text !== undefined) expect(valueOf(await store.deleteRelease(toName('a')))).toBe(true);
  valueOf(await store.createRelease(releaseOf('a')));
  return String(text).slice(0, 3);
};

/** Kills a writer that came to each of its steps, in a directory each. @returns what is there afterwards, by step */
const killedAtEachStep = async (what: string): Promise<readonly string[]> => {
  const directories: ReleaseDirectory[] = [];
  for (let n = 0; n < MOST_STEPS; n += 1) directories.push(await prepared(what));
  const list = directories.map(({ directory }) => directory).join(':');
  const { answers, signal } = await startWriter(what, list).ended;
  expect(signal).toBe('SIGKILL');
  const [stepsBefore] = answers as readonly number[];
  const found: string[] = [];
  for (const directory of directories.slice(0, (stepsBefore ?? MOST_STEPS) + 1)) {
    found.push(await leftIn(directory));
  }
  return found;
};

/** The values in their order, each once while it stays. */
const phases = (values: readonly string[]): readonly string[] =>
  values.filter((value, index) => index === 0 || value !== values[index - 1]);

describe('a process that is killed at any step of a write leaves the old release or the new one, and nothing in the way', () => {
  it.each([
    ['create', ['und', 'new'], 9],
    ['replace', ['old', 'new'], 12],
    ['remove', ['old', 'und'], 6],
  ])('of %s', PATIENT, async (what, expected, steps) => {
    const found = await killedAtEachStep(what);
    expect(phases(found)).toEqual(expected);
    expect(found.length).toBeGreaterThanOrEqual(steps);
  });
});

it(
  'is killed during many writes: every acknowledged write is on disk, and no lock is left',
  PATIENT,
  async () => {
    const directory = await releaseDirectory();
    const store = await directory.open();
    for (const name of ['a', 'b'])
      valueOf(await store.createRelease(releaseOf(name, { count: 0 })));
    const { child, ended } = startWriter('increment', directory.directory, '100000');
    await once(child.stdout, 'data');
    child.stdin.end();
    const reached = async () => Number((await readReleaseValues(store, 'b'))?.['count']);
    while ((await reached()) < 5) await pause(1);
    child.kill('SIGKILL');
    await ended;
    const count = await reached();
    const { revision } = valueOf(await store.getRelease(toName('b'))) ?? { revision: '' };
    valueOf(await store.replaceRelease(releaseOf('b', { count: count + 1 }), revision));
    expect(await reached()).toBe(count + 1);
    expect(directory.warnings).toEqual([]);
  },
);

it('loses no change of several processes, and shows each of them at once', PATIENT, async () => {
  const directory = await releaseDirectory();
  const store = await directory.open();
  for (const name of ['a', 'b']) valueOf(await store.createRelease(releaseOf(name, { count: 0 })));
  const writers = [1, 2].map(() => startWriter('increment', directory.directory, '20'));
  await Promise.all(writers.map(({ child }) => once(child.stdout, 'data')));
  for (const { child } of writers) child.stdin.end();
  let isOver = false;
  const racing = Promise.all(writers.map(({ ended }) => ended)).finally(() => {
    isOver = true;
  });
  const counts = async () =>
    valueOf(await store.listReleases(NAMESPACE)).map(({ object }) =>
      Number((object.spec?.['values'] as Json)['count']),
    );
  let last = [0, 0];
  const hasEnded = (): boolean => isOver;
  while (!hasEnded()) {
    const seen = await counts();
    // No list goes back to what was before.
    seen.forEach((count, index) => {
      expect(count).toBeGreaterThanOrEqual(last[index] ?? 0);
    });
    last = seen;
    await pause(1);
  }
  const endings = await racing;
  expect(endings.map(({ signal }) => signal)).toEqual([null, null]);
  expect(await counts()).toEqual([20, 20]);
  expect(await directory.names('releases/default')).toEqual(['a.yaml', 'b.yaml']);
  expect(await directory.names('.locks')).toEqual([]);
});
