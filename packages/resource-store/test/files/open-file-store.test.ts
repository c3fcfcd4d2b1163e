import {
  link,
  open,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  mkdir,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { formatProblem, type ResourceProblem } from '../../src/index.ts';
import {
  commandsOf,
  configurationDirectory,
  opened,
  problemLines,
  recorded,
  serverText,
  until,
} from './configuration-directory.ts';

const serves =
  (...commands: string[]) =>
  (state: Parameters<typeof commandsOf>[0]): boolean =>
    commandsOf(state).join() === commands.join();

/** Of several changes, since one alone also measures what else the machine does at that moment. */
const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 2)] ?? Infinity;

describe('a configuration directory that disappears', () => {
  it('takes nothing out of service, and is a problem until it is back', async () => {
    const { directory, write } = await configurationDirectory();
    await write('config.yaml', 'a: 1\n');
    await write('mcpservers/a.yaml', serverText('a', 'one'));
    const store = await opened({ directory });
    const { config, servers } = store.current();

    await rename(directory, `${directory}-elsewhere`);
    await until(store, ({ configProblems }) => configProblems.length === 1);
    await new Promise((wake) => setTimeout(wake, 1000));
    expect(problemLines(store.current(), directory)).toEqual([': the directory does not exist']);
    expect(store.current().servers).toBe(servers);
    expect(store.current().config).toBe(config);

    await rename(`${directory}-elsewhere`, directory);
    await until(store, ({ configProblems }) => configProblems.length === 0);
    expect(store.current().servers).toBe(servers);
  });

  it('unlike a deleted file', async () => {
    const { directory, write, remove } = await configurationDirectory();
    await write('mcpservers/a.yaml', serverText('a', 'one'));
    const store = await opened({ directory });
    await remove('mcpservers/a.yaml');
    await until(store, ({ servers }) => servers.length === 0);
    expect(problemLines(store.current(), directory)).toEqual([]);
  });
});

describe('a change is picked up within a second', () => {
  it('of a server, by writing, by replacing, by deleting, by creating', async () => {
    const { directory, write, replace, remove } = await configurationDirectory();
    await write('mcpservers/a.yaml', serverText('a', 'one'));
    const store = await opened({ directory });
    expect(commandsOf(store.current())).toEqual(['a=one']);

    const times: number[] = [];
    await write('mcpservers/a.yaml', serverText('a', 'two'));
    times.push(await until(store, serves('a=two')));
    await replace('mcpservers/a.yaml', serverText('a', 'three'));
    times.push(await until(store, serves('a=three')));
    await write('mcpservers/b.yaml', serverText('b', 'new'));
    times.push(await until(store, serves('a=three', 'b=new')));
    await remove('mcpservers/a.yaml');
    times.push(await until(store, serves('b=new')));
    expect(median(times)).toBeLessThan(1000);
  });

  it('of labels and of config.yaml', async () => {
    const { directory, write } = await configurationDirectory();
    await write('config.yaml', 'a: 1\n');
    await write('mcpservers/a.yaml', serverText('a'));
    const store = await opened({ directory });
    await write('config.yaml', 'a: 2\n');
    const config = await until(store, (state) => JSON.stringify(state.config?.value) === '{"a":2}');
    await write(
      'mcpservers/a.yaml',
      serverText('a').replace('name: a', 'name: a\n  labels: {t: x}'),
    );
    const labels = await until(store, ({ servers }) => servers[0]?.metadata.labels['t'] === 'x');
    expect(median([config, labels])).toBeLessThan(1000);
  });

  it('when size and modification time stay the same', async () => {
    const { directory, write, at } = await configurationDirectory();
    const time = new Date('2026-01-01T00:00:00Z');
    await write('mcpservers/a.yaml', serverText('a', 'one'));
    await utimes(at('mcpservers/a.yaml'), time, time);
    const store = await opened({ directory });
    await write('mcpservers/a.yaml', serverText('a', 'two'));
    await utimes(at('mcpservers/a.yaml'), time, time);
    await until(store, serves('a=two'));
  });

  it('of a file that a link leads to, which no directory watch reports', async () => {
    const { directory, write, at } = await configurationDirectory();
    await mkdir(at('elsewhere'));
    await write('elsewhere/real.yaml', serverText('a', 'one'));
    await symlink(at('elsewhere/real.yaml'), at('mcpservers/a.yaml'));
    await write('config.yaml', '');
    const store = await opened({ directory });
    const times: number[] = [];
    for (const version of ['two', 'three', 'four']) {
      await write('elsewhere/real.yaml', serverText('a', version));
      times.push(await until(store, serves(`a=${version}`)));
    }
    expect(median(times)).toBeLessThan(1000);
  });

  it('of a file with a second name elsewhere, through which it is written', async () => {
    const { directory, write, at } = await configurationDirectory();
    await mkdir(at('elsewhere'));
    await write('elsewhere/real.yaml', serverText('a', 'one'));
    await link(at('elsewhere/real.yaml'), at('mcpservers/a.yaml'));
    const store = await opened({ directory });
    const times: number[] = [];
    for (const version of ['two', 'three', 'four']) {
      await write('elsewhere/real.yaml', serverText('a', version));
      times.push(await until(store, serves(`a=${version}`)));
    }
    expect(median(times)).toBeLessThan(1000);
  });

  it('of mcpservers/ itself: created later, replaced by another', async () => {
    const times: number[] = [];
    const { directory, at, remove } = await configurationDirectory();
    await remove('mcpservers');
    const store = await opened({ directory });
    await mkdir(at('mcpservers'));
    await writeFile(at('mcpservers/a.yaml'), serverText('a', 'one'));
    times.push(await until(store, serves('a=one')));
    await mkdir(at('next'));
    await writeFile(at('next/a.yaml'), serverText('a', 'two'));
    await rename(at('mcpservers'), at('old'));
    await rename(at('next'), at('mcpservers'));
    times.push(await until(store, serves('a=two')));
    await writeFile(at('mcpservers/a.yaml'), serverText('a', 'three'));
    times.push(await until(store, serves('a=three')));
    expect(median(times)).toBeLessThan(1000);
  });
});

describe('a half-written file is never seen', () => {
  it('while it is written in pieces that are valid or broken on the way', async () => {
    const { directory, write, at } = await configurationDirectory();
    await write('mcpservers/a.yaml', serverText('a', 'one'));
    // On a busy machine, more than the usual delay passes between two pieces.
    const store = await opened({ directory, debounceMs: 600 });
    const states = recorded(store);
    const file = await open(at('mcpservers/a.yaml'), 'w');
    for (const piece of serverText('a', 'two-and-more').match(/[\s\S]{1,8}/g) ?? []) {
      await file.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await file.close();
    await until(store, serves('a=two-and-more'));
    expect(states.map(commandsOf)).toEqual([['a=one'], ['a=two-and-more']]);
    expect(states.flatMap((state) => problemLines(state, directory))).toEqual([]);
  });

  it('when it is empty for a moment, or deleted and written again', async () => {
    const { directory, write, remove, at } = await configurationDirectory();
    await write('mcpservers/a.yaml', serverText('a', 'one'));
    const store = await opened({ directory });
    const states = recorded(store);
    await truncate(at('mcpservers/a.yaml'));
    await new Promise((resolve) => setTimeout(resolve, 150));
    await write('mcpservers/a.yaml', serverText('a', 'two'));
    await until(store, serves('a=two'));
    await remove('mcpservers/a.yaml');
    await new Promise((resolve) => setTimeout(resolve, 150));
    await write('mcpservers/a.yaml', serverText('a', 'three'));
    await until(store, serves('a=three'));
    expect(states.map(commandsOf)).toEqual([['a=one'], ['a=two'], ['a=three']]);
    expect(states.flatMap((state) => problemLines(state, directory))).toEqual([]);
  });

  it('when a.yml is replaced by a.yaml', async () => {
    const { directory, write, at } = await configurationDirectory();
    await write('mcpservers/a.yml', serverText('a', 'one'));
    const store = await opened({ directory });
    const states = recorded(store);
    await rename(at('mcpservers/a.yml'), at('mcpservers/a.yaml'));
    await write('mcpservers/b.yaml', serverText('b'));
    await until(store, serves('a=one', 'b=run'));
    expect(states.every((state) => commandsOf(state)[0] === 'a=one')).toBe(true);
    expect(states.flatMap((state) => problemLines(state, directory))).toEqual([]);
  });
});

describe('a file that stays broken', () => {
  it('is skipped and reported once, and heals', async () => {
    const { directory, write } = await configurationDirectory();
    const reported: ResourceProblem[] = [];
    await write('mcpservers/a.yaml', serverText('a', 'one'));
    await write('mcpservers/b.yaml', serverText('b'));
    const store = await opened({ directory, onProblem: (problem) => reported.push(problem) });
    await write('mcpservers/a.yaml', 'kind: MCPServer\nspec: [\n');
    await until(store, serves('b=run'));
    expect(store.current().problems[0]).toMatchObject({ kind: 'MCPServer', name: 'a', line: 3 });
    await write('mcpservers/c.yaml', serverText('c'));
    await until(store, serves('b=run', 'c=run'));
    expect(reported).toEqual(store.current().problems);
    await write('mcpservers/a.yaml', serverText('a', 'two'));
    await until(store, serves('a=two', 'b=run', 'c=run'));
    expect(store.current().problems).toEqual([]);
  });

  it('because it cannot be read, is read again until it can', async () => {
    const { directory, at, write, remove } = await configurationDirectory();
    await symlink('a.yaml', at('mcpservers/a.yaml'));
    const store = await opened({ directory });
    expect(problemLines(store.current(), directory)).toEqual([
      'mcpservers/a.yaml: cannot be read: ELOOP',
    ]);
    await remove('mcpservers/a.yaml');
    await write('mcpservers/a.yaml', serverText('a'));
    await until(store, serves('a=run'));
    expect(store.current().problems).toEqual([]);
  });

  it('because a directory or a link to nowhere took its place, keeps config.yaml and heals', async () => {
    const { directory, at, write, remove } = await configurationDirectory();
    await write('config.yaml', 'a: 1\n');
    await write('mcpservers/a.yaml', serverText('a'));
    const store = await opened({ directory });
    await remove('config.yaml');
    await symlink('nowhere', at('config.yaml'));
    await remove('mcpservers/a.yaml');
    await mkdir(at('mcpservers/a.yaml'));
    await until(
      store,
      ({ configProblems, problems }) => configProblems.length + problems.length > 1,
    );
    expect(problemLines(store.current(), directory)).toEqual([
      'config.yaml: is a link to a file that does not exist',
      'mcpservers/a.yaml: is not a regular file',
    ]);
    expect(store.current().config?.value).toEqual({ a: 1 });
    expect(store.current().servers).toEqual([]);
    await write('nowhere', 'a: 2\n');
    await remove('mcpservers/a.yaml');
    await write('mcpservers/a.yaml', serverText('a', 'two'));
    await until(store, serves('a=two'));
    await until(store, ({ configProblems }) => configProblems.length === 0);
    expect(store.current().config?.value).toEqual({ a: 2 });
    expect(store.current().problems).toEqual([]);
  });

  it('is neither a deleted file nor one with a deleted link: both are absent', async () => {
    const { directory, at, write, remove } = await configurationDirectory();
    await write('config.txt', 'a: 1\n');
    await symlink('config.txt', at('config.yaml'));
    await write('mcpservers/a.yaml', serverText('a'));
    const store = await opened({ directory });
    const states = recorded(store);
    await remove('config.yaml');
    await remove('mcpservers/a.yaml');
    await until(store, ({ config, servers }) => config === undefined && servers.length === 0);
    expect(states.flatMap((state) => problemLines(state, directory))).toEqual([]);
  });

  it('is reported at the start too', async () => {
    const { directory, write, at } = await configurationDirectory();
    const lines: string[] = [];
    await write('mcpservers/a.yaml', '');
    await opened({ directory, onProblem: (problem) => lines.push(formatProblem(problem)) });
    expect(lines).toEqual([`${at('mcpservers/a.yaml')}: the file is empty`]);
  });

  it('keeps the last valid config.yaml in use and reports its problems', async () => {
    const { directory, write } = await configurationDirectory();
    await write('config.yaml', 'a: 1\n');
    const store = await opened({ directory });
    const good = store.current().config;
    await write('config.yaml', 'a: [\n');
    await until(store, ({ configProblems }) => configProblems.length > 0);
    expect(store.current().config).toBe(good);
    await write('config.yaml', 'a: 3\n');
    await until(store, ({ configProblems }) => configProblems.length === 0);
    expect(store.current().config?.value).toEqual({ a: 3 });
  });
});

describe('a mounted ConfigMap', () => {
  it('is swapped as a whole', async () => {
    const times: number[] = [];
    const { directory, at } = await configurationDirectory();
    const publish = async (version: string): Promise<void> => {
      await mkdir(at(`mcpservers/..${version}`));
      for (const name of ['a', 'b']) {
        await writeFile(at(`mcpservers/..${version}/${name}.yaml`), serverText(name, version));
      }
      await symlink(`..${version}`, at('mcpservers/..data_tmp'));
      await rename(at('mcpservers/..data_tmp'), at('mcpservers/..data'));
    };
    await publish('v1');
    for (const name of ['a', 'b']) {
      await symlink(path.join('..data', `${name}.yaml`), at(`mcpservers/${name}.yaml`));
    }
    const store = await opened({ directory });
    const states = recorded(store);
    expect(commandsOf(store.current())).toEqual(['a=v1', 'b=v1']);
    await publish('v2');
    await rm(at('mcpservers/..v1'), { recursive: true });
    times.push(await until(store, serves('a=v2', 'b=v2')));
    await publish('v3');
    times.push(await until(store, serves('a=v3', 'b=v3')));
    expect(states.map(commandsOf)).toEqual([
      ['a=v1', 'b=v1'],
      ['a=v2', 'b=v2'],
      ['a=v3', 'b=v3'],
    ]);
    expect(median(times)).toBeLessThan(1000);
  });
});

describe('an unchanged part', () => {
  it('keeps its identity', async () => {
    const { directory, write } = await configurationDirectory();
    await write('config.yaml', 'a: 1\n');
    await write('mcpservers/a.yaml', serverText('a'));
    const store = await opened({ directory });
    const before = store.current();
    await write('mcpservers/b.yaml', serverText('b'));
    await until(store, serves('a=run', 'b=run'));
    const after = store.current();
    expect(after.servers[0]).toBe(before.servers[0]);
    expect(after.config).toBe(before.config);
    expect(after.problems).toBe(before.problems);
  });

  it('is not announced: the same text written again, a comment added to a server', async () => {
    const { directory, write } = await configurationDirectory();
    await write('config.yaml', 'a: 1\n');
    await write('mcpservers/a.yaml', serverText('a'));
    const store = await opened({ directory });
    const states = recorded(store);
    await write('config.yaml', 'a: 1\n');
    await write('mcpservers/a.yaml', `# note\n${serverText('a')}`);
    await write('mcpservers/b.yaml', serverText('b'));
    await until(store, serves('a=run', 'b=run'));
    expect(states.map(commandsOf)).toEqual([['a=run'], ['a=run', 'b=run']]);
    expect(states[1]?.servers[0]).toBe(states[0]?.servers[0]);
  });
});

describe('listeners', () => {
  it('get the state and the one before, until they unsubscribe', async () => {
    const { directory, write } = await configurationDirectory();
    const store = await opened({ directory });
    const before = store.current();
    const calls: unknown[] = [];
    const unsubscribe = store.subscribe((state, previous) => calls.push([state, previous]));
    await write('mcpservers/a.yaml', serverText('a'));
    await until(store, serves('a=run'));
    expect(calls).toEqual([[store.current(), before]]);
    unsubscribe();
    await write('mcpservers/b.yaml', serverText('b'));
    await until(store, serves('a=run', 'b=run'));
    expect(calls).toHaveLength(1);
  });
});

describe('close', () => {
  const active = (kind: string): number =>
    process.getActiveResourcesInfo().filter((resource) => resource === kind).length;

  it('leaves no watch and no timer behind', async () => {
    const { directory } = await configurationDirectory();
    const timers = active('Timeout');
    const stores = await Promise.all(Array.from({ length: 40 }, () => opened({ directory })));
    await vi.waitFor(() => {
      expect(active('FSEventWrap')).toBe(80);
    }, 60_000);
    await Promise.all(stores.map((store) => store.close()));
    await vi.waitFor(() => {
      expect(active('FSEventWrap')).toBe(0);
    }, 60_000);
    // The test runner has a few timers of its own that come and go.
    expect(active('Timeout') - timers).toBeLessThan(20);
  });

  it('may be called twice, and calls no listener afterwards', async () => {
    const { directory, write } = await configurationDirectory();
    const store = await opened({ directory });
    const states = recorded(store);
    await write('mcpservers/a.yaml', serverText('a'));
    await Promise.all([store.close(), store.close()]);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(states).toHaveLength(1);
  });
});
