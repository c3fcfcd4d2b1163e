import { link, open, symlink, mkdir, rename, truncate, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { formatProblem, type ResourceProblem } from '../../src/index.ts';
import {
  configurationDirectory,
  follow,
  opened,
  openedDirectory,
  serverText,
  until,
} from './configuration-directory.ts';
import { toWorkflowFile } from './workflow-documents.ts';

/** Of several changes, since one alone also measures what else the machine does at that moment. */
const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 2)] ?? Infinity;

const A = 'mcpservers/a.yaml';
const FOLDERS = [
  ['mcpservers', serverText],
  ['workflows', toWorkflowFile],
] as const;

it('keeps everything in service while the directory is missing, and reports it until it is back', async () => {
  const files = { 'config.yaml': 'a: 1\n', [A]: serverText('a', 'one') };
  const { directory, store, lines } = await openedDirectory(files);
  const { config, servers } = store.current();
  await rename(directory, `${directory}-elsewhere`);
  await until(store, ({ configProblems }) => configProblems.length === 1);
  await wait(1000);
  expect(lines()).toEqual([': the directory does not exist']);
  expect(store.current().servers).toBe(servers);
  expect(store.current().config).toBe(config);
  await rename(`${directory}-elsewhere`, directory);
  await until(store, ({ configProblems }) => configProblems.length === 0);
  expect(store.current().servers).toBe(servers);
});

describe('a change is picked up within a second', () => {
  it.each(FOLDERS)(
    'of %s, by writing, replacing, deleting, and creating',
    async (folder, toText) => {
      const one = { [`${folder}/a.yaml`]: toText('a', 'x_one') };
      const { write, replace, remove, shows } = await openedDirectory(one);
      const times: number[] = [];
      await write(`${folder}/a.yaml`, toText('a', 'x_two'));
      times.push(await shows('a=x_two'));
      await replace(`${folder}/a.yaml`, toText('a', 'x_three'));
      times.push(await shows('a=x_three'));
      await write(`${folder}/b.yaml`, toText('b', 'x_new'));
      times.push(await shows('a=x_three', 'b=x_new'));
      await remove(`${folder}/a.yaml`);
      times.push(await shows('b=x_new'));
      expect(median(times)).toBeLessThan(1000);
    },
  );

  it('of labels and of config.yaml', async () => {
    const { write, store } = await openedDirectory({
      'config.yaml': 'a: 1\n',
      [A]: serverText('a'),
    });
    await write('config.yaml', 'a: 2\n');
    const config = await until(store, (state) => JSON.stringify(state.config?.value) === '{"a":2}');
    await write(A, serverText('a').replace('name: a', 'name: a\n  labels: {t: x}'));
    const labels = await until(store, ({ servers }) => servers[0]?.metadata.labels['t'] === 'x');
    expect(median([config, labels])).toBeLessThan(1000);
  });

  it('when size and modification time stay the same', async () => {
    const configuration = await configurationDirectory({ [A]: serverText('a', 'one') });
    const time = new Date('2026-01-01T00:00:00Z');
    await utimes(configuration.at(A), time, time);
    const { write, at, shows } = await follow(configuration);
    await write(A, serverText('a', 'two'));
    await utimes(at(A), time, time);
    await shows('a=two');
  });

  it.each([
    ['symbolic', symlink],
    ['hard', link],
  ])('of a file with a %s link, which no directory watch reports', async (_, makeLink) => {
    const configuration = await configurationDirectory({
      'elsewhere/real.yaml': serverText('a', 'one'),
    });
    await makeLink(configuration.at('elsewhere/real.yaml'), configuration.at(A));
    const { write, shows } = await follow(configuration);
    const times: number[] = [];
    for (const version of ['two', 'three', 'four']) {
      await write('elsewhere/real.yaml', serverText('a', version));
      times.push(await shows(`a=${version}`));
    }
    expect(median(times)).toBeLessThan(1000);
  });

  it.each(FOLDERS)('of %s itself: created later, replaced by another', async (folder, toText) => {
    const times: number[] = [];
    const configuration = await configurationDirectory();
    await configuration.remove('mcpservers');
    const { write, rename, shows } = await follow(configuration);
    await write(`${folder}/a.yaml`, toText('a', 'x_one'));
    times.push(await shows('a=x_one'));
    await write('next/a.yaml', toText('a', 'x_two'));
    await rename(folder, 'old');
    await rename('next', folder);
    times.push(await shows('a=x_two'));
    await write(`${folder}/a.yaml`, toText('a', 'x_three'));
    times.push(await shows('a=x_three'));
    expect(median(times)).toBeLessThan(1000);
  });
});

describe('a half-written file is never seen', () => {
  it('while it is written in pieces that are valid or broken on the way', async () => {
    // On a busy machine, more than the usual delay passes between two pieces.
    const one = { [A]: serverText('a', 'one') };
    const { at, shows, contents, lines } = await openedDirectory(one, { debounceMs: 600 });
    const file = await open(at(A), 'w');
    for (const piece of serverText('a', 'two-and-more').match(/[\s\S]{1,8}/g) ?? []) {
      await file.write(piece);
      await wait(10);
    }
    await file.close();
    await shows('a=two-and-more');
    expect([contents(), lines()]).toEqual([[['a=one'], ['a=two-and-more']], []]);
  });

  it.each(FOLDERS)('in %s when it is empty, invalid or deleted', async (folder, toText) => {
    const file = `${folder}/a.yaml`;
    const one = { [file]: toText('a', 'x_one') };
    const { write, remove, at, shows, states, contents } = await openedDirectory(one);
    await truncate(at(file));
    await wait(150);
    await write(file, toText('a', 'x_two'));
    await shows('a=x_two');
    await write(file, 'kind: [\n');
    await wait(150);
    await remove(file);
    await wait(50);
    await write(file, toText('a', 'x_three'));
    await shows('a=x_three');
    expect(contents()).toEqual([['a=x_one'], ['a=x_two'], ['a=x_three']]);
    expect(states.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('when a.yml is replaced by a.yaml', async () => {
    const { write, rename, shows, contents, states } = await openedDirectory({
      'mcpservers/a.yml': serverText('a', 'one'),
    });
    await rename('mcpservers/a.yml', A);
    await write('mcpservers/b.yaml', serverText('b'));
    await shows('a=one', 'b=run');
    expect(contents().every(([first]) => first === 'a=one')).toBe(true);
    expect(states.flatMap(({ problems }) => problems)).toEqual([]);
  });
});

describe('a file that stays broken', () => {
  it('is skipped and reported once, and heals', async () => {
    const reported: ResourceProblem[] = [];
    const { write, store, shows } = await openedDirectory(
      { [A]: serverText('a', 'one'), 'mcpservers/b.yaml': serverText('b') },
      { onProblem: (problem) => reported.push(problem) },
    );
    await write(A, 'kind: MCPServer\nspec: [\n');
    await shows('b=run');
    expect(store.current().problems).toMatchObject([{ kind: 'MCPServer', name: 'a', line: 3 }]);
    await write('mcpservers/c.yaml', serverText('c'));
    await shows('b=run', 'c=run');
    expect(reported).toEqual(store.current().problems);
    await write(A, serverText('a', 'two'));
    await shows('a=two', 'b=run', 'c=run');
    expect(store.current().problems).toEqual([]);
  });

  it('because it cannot be read, is read again until it can', async () => {
    const configuration = await configurationDirectory();
    await symlink('a.yaml', configuration.at(A));
    const { write, remove, shows, lines } = await follow(configuration);
    expect(lines()).toEqual([`${A}: cannot be read: ELOOP`]);
    await remove(A);
    await write(A, serverText('a'));
    await shows('a=run');
    expect(lines()).toEqual([]);
  });

  it('because a directory or a link to nowhere took its place, keeps config.yaml and heals', async () => {
    const files = { 'config.yaml': 'a: 1\n', [A]: serverText('a') };
    const { at, write, remove, store, shows, lines } = await openedDirectory(files);
    await remove('config.yaml');
    await symlink('nowhere', at('config.yaml'));
    await remove(A);
    await mkdir(at(A));
    await until(store, (state) => state.configProblems.length + state.problems.length > 1);
    expect(lines()).toEqual([
      'config.yaml: is a link to a file that does not exist',
      `${A}: is not a regular file`,
    ]);
    expect(store.current()).toMatchObject({ config: { value: { a: 1 } }, servers: [] });
    await write('nowhere', 'a: 2\n');
    await remove(A);
    await write(A, serverText('a', 'two'));
    await shows('a=two');
    await until(store, ({ configProblems }) => configProblems.length === 0);
    expect(store.current()).toMatchObject({ config: { value: { a: 2 } }, problems: [] });
  });

  it('is neither a deleted file nor one with a deleted link: both are absent', async () => {
    const files = { 'config.txt': 'a: 1\n', [A]: serverText('a') };
    const configuration = await configurationDirectory(files);
    await symlink('config.txt', configuration.at('config.yaml'));
    const { remove, store, states } = await follow(configuration);
    await remove('config.yaml');
    await remove(A);
    await until(store, ({ config, servers }) => config === undefined && servers.length === 0);
    expect(states.flatMap((state) => [...state.configProblems, ...state.problems])).toEqual([]);
  });

  it('is reported at the start too', async () => {
    const lines: string[] = [];
    const onProblem = (problem: ResourceProblem) => lines.push(formatProblem(problem));
    const { at } = await openedDirectory({ [A]: '' }, { onProblem });
    expect(lines).toEqual([`${at(A)}: the file is empty`]);
  });

  it('keeps the last valid config.yaml in use and reports its problems', async () => {
    const { write, store } = await openedDirectory({ 'config.yaml': 'a: 1\n' });
    const good = store.current().config;
    await write('config.yaml', 'a: [\n');
    await until(store, ({ configProblems }) => configProblems.length > 0);
    expect(store.current().config).toBe(good);
    await write('config.yaml', 'a: 3\n');
    await until(store, ({ configProblems }) => configProblems.length === 0);
    expect(store.current().config?.value).toEqual({ a: 3 });
  });
});

it('swaps a mounted ConfigMap as a whole', async () => {
  const configuration = await configurationDirectory();
  const publish = async (version: string): Promise<void> => {
    for (const name of ['a', 'b'])
      await configuration.write(`mcpservers/..${version}/${name}.yaml`, serverText(name, version));
    await symlink(`..${version}`, configuration.at('mcpservers/..data_tmp'));
    await configuration.rename('mcpservers/..data_tmp', 'mcpservers/..data');
  };
  await publish('v1');
  for (const name of ['a.yaml', 'b.yaml'])
    await symlink(path.join('..data', name), configuration.at('mcpservers', name));
  const { remove, shows, contents } = await follow(configuration);
  await publish('v2');
  await remove('mcpservers/..v1');
  const times = [await shows('a=v2', 'b=v2')];
  await publish('v3');
  times.push(await shows('a=v3', 'b=v3'));
  expect(contents()).toEqual([
    ['a=v1', 'b=v1'],
    ['a=v2', 'b=v2'],
    ['a=v3', 'b=v3'],
  ]);
  expect(median(times)).toBeLessThan(1000);
});

it('keeps the identity of unchanged parts, and announces neither the same text nor a comment', async () => {
  const files = { 'config.yaml': 'a: 1\n', [A]: serverText('a') };
  const { write, shows, contents, states } = await openedDirectory(files);
  await write('config.yaml', 'a: 1\n');
  await write(A, `# note\n${serverText('a')}`);
  await write('mcpservers/b.yaml', serverText('b'));
  await shows('a=run', 'b=run');
  expect(contents()).toEqual([['a=run'], ['a=run', 'b=run']]);
  const [before, after] = states;
  expect(after?.servers[0]).toBe(before?.servers[0]);
  expect(after?.config).toBe(before?.config);
  expect(after?.problems).toBe(before?.problems);
});

it('gives listeners the state and the one before, until they unsubscribe', async () => {
  const { write, store, shows } = await openedDirectory();
  const before = store.current();
  const calls: unknown[] = [];
  const unsubscribe = store.subscribe((state, previous) => calls.push([state, previous]));
  await write(A, serverText('a'));
  await shows('a=run');
  expect(calls).toEqual([[store.current(), before]]);
  unsubscribe();
  await write('mcpservers/b.yaml', serverText('b'));
  await shows('a=run', 'b=run');
  expect(calls).toHaveLength(1);
});

describe('close', () => {
  const active = (kind: string): number =>
    process.getActiveResourcesInfo().filter((resource) => resource === kind).length;
  const watches = (count: number) =>
    vi.waitFor(() => {
      expect(active('FSEventWrap')).toBe(count);
    }, 60_000);

  it('leaves no watch and no timer behind', async () => {
    const { directory } = await configurationDirectory();
    const timers = active('Timeout');
    const stores = await Promise.all(Array.from({ length: 40 }, () => opened({ directory })));
    await watches(80);
    await Promise.all(stores.map((store) => store.close()));
    await watches(0);
    // The test runner has a few timers of its own that come and go.
    expect(active('Timeout') - timers).toBeLessThan(20);
  });

  it('may be called twice, and calls no listener afterwards', async () => {
    const { write, store, states } = await openedDirectory();
    await write(A, serverText('a'));
    await Promise.all([store.close(), store.close()]);
    await wait(600);
    expect(states).toHaveLength(1);
  });
});
