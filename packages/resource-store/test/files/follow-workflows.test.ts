import { mkdir, open, rename, rm, utimes } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  configurationDirectory,
  opened,
  problemLines,
  recorded,
  serverText,
  until,
} from './configuration-directory.ts';
import { invalidOf, toolsOf, validOf, toWorkflowFile } from './workflow-documents.ts';

/** A followed directory with a workflow `a` that calls `x_s_one`. */
const followed = async () => {
  const configuration = await configurationDirectory();
  await mkdir(configuration.at('workflows'));
  await configuration.write('workflows/a.yaml', toWorkflowFile('a', 'x_s_one'));
  const store = await opened({ directory: configuration.directory });
  const states = recorded(store);
  const shows = (...tools: string[]): Promise<number> =>
    until(store, (state) => toolsOf(state).join() === tools.join());
  return { ...configuration, store, states, shows };
};

describe('a change of a workflow is picked up within a second', () => {
  it('by writing, by replacing, by deleting, by creating', async () => {
    const { write, replace, remove, shows } = await followed();
    const times: number[] = [];
    await write('workflows/a.yaml', toWorkflowFile('a', 'x_s_two'));
    times.push(await shows('a=x_s_two'));
    await replace('workflows/a.yaml', toWorkflowFile('a', 'x_s_three'));
    times.push(await shows('a=x_s_three'));
    await write('workflows/b.yaml', toWorkflowFile('b'));
    times.push(await shows('a=x_s_three', 'b=x_s_run'));
    await remove('workflows/a.yaml');
    times.push(await shows('b=x_s_run'));
    expect(times.toSorted((a, b) => a - b)[1]).toBeLessThan(1000);
  });
  it('when workflows/ comes later, and when another takes its place', async () => {
    const { at, directory, write } = await configurationDirectory();
    const store = await opened({ directory });
    await mkdir(at('workflows'));
    await write('workflows/a.yaml', toWorkflowFile('a', 'x_s_one'));
    await until(store, (state) => toolsOf(state).join() === 'a=x_s_one');
    await mkdir(at('next'));
    await write('next/a.yaml', toWorkflowFile('a', 'x_s_two'));
    await rename(at('workflows'), at('old'));
    await rename(at('next'), at('workflows'));
    await until(store, (state) => toolsOf(state).join() === 'a=x_s_two');
  });
});

describe('a workflow that is being written', () => {
  it('is never seen in part', async () => {
    const { at, states, shows } = await followed();
    const file = await open(at('workflows/a.yaml'), 'w');
    for (const piece of toWorkflowFile('a', 'x_s_two').match(/[\s\S]{1,16}/g) ?? []) {
      await file.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await file.close();
    await shows('a=x_s_two');
    expect(states.map(toolsOf)).toEqual([['a=x_s_one'], ['a=x_s_two']]);
  });
  it('stays in use while its file is missing or invalid for a moment, and no longer', async () => {
    const { write, remove, states, shows, store } = await followed();
    await write('workflows/a.yaml', 'kind: [\n');
    await new Promise((resolve) => setTimeout(resolve, 150));
    await write('workflows/a.yaml', toWorkflowFile('a', 'x_s_two'));
    await shows('a=x_s_two');
    expect(states.map(toolsOf)).toEqual([['a=x_s_one'], ['a=x_s_two']]);
    await write('workflows/a.yaml', 'kind: [\n');
    await shows('a!');
    expect(invalidOf(store.current(), 'a').status.validationErrors).toHaveLength(1);
    await remove('workflows/a.yaml');
    await shows();
    expect(store.current().problems).toEqual([]);
  });
  it('takes nothing of the rest out of service when it is broken', async () => {
    const { directory, write, shows, store } = await followed();
    await write('mcpservers/s.yaml', serverText('s'));
    await write('workflows/b.yaml', '');
    await until(store, ({ servers }) => servers.length === 1);
    await shows('a=x_s_one', 'b!');
    expect(problemLines(store.current(), directory)).toEqual([
      'workflows/b.yaml: the file is empty',
    ]);
  });
});

describe('the unchanged parts of workflows', () => {
  it('keeps its identity when others change', async () => {
    const { write, shows, store } = await followed();
    await write('workflows/bad.yaml', 'kind: [\n');
    await write('workflows/two.yaml', toWorkflowFile('two'));
    await write('workflows/two.yml', toWorkflowFile('two'));
    await shows('a=x_s_one', 'bad!', 'two!');
    const before = store.current();
    await write('workflows/b.yaml', toWorkflowFile('b'));
    await shows('a=x_s_one', 'b=x_s_run', 'bad!', 'two!');
    const after = store.current();
    for (const name of ['a', 'bad', 'two']) {
      const find = (state: typeof after) => state.workflows.find((one) => one.name === name);
      expect(find(after)).toBe(find(before));
    }
    await write('mcpservers/s.yaml', serverText('s'));
    await until(store, ({ servers }) => servers.length === 1);
    expect(store.current().workflows).toBe(after.workflows);
    expect(store.current().problems).toBe(after.problems);
  });
  it('is not announced: the same text again, another time of the file', async () => {
    const { at, write, states, shows, store } = await followed();
    await write('workflows/a.yaml', toWorkflowFile('a', 'x_s_one'));
    await utimes(at('workflows/a.yaml'), 1000, 1000);
    await store.refresh();
    await write('workflows/b.yaml', toWorkflowFile('b'));
    await shows('a=x_s_one', 'b=x_s_run');
    expect(states.map(toolsOf)).toEqual([['a=x_s_one'], ['a=x_s_one', 'b=x_s_run']]);
    expect(states[1]?.workflows[0]).toBe(states[0]?.workflows[0]);
  });
  it('is the workflow when a comment changes, while its text is the new one', async () => {
    const { write, store } = await followed();
    const before = validOf(store.current(), 'a');
    const text = `# note\n${toWorkflowFile('a', 'x_s_one')}`;
    await write('workflows/a.yaml', text);
    await until(store, (state) => state.workflows[0]?.text === text);
    const after = validOf(store.current(), 'a');
    expect(after.workflow).toBe(before.workflow);
    expect(after.createdAt).toBe(before.createdAt);
    expect(after.status).toEqual(before.status);
  });
  it('is the workflow when a.yaml becomes a.yml', async () => {
    const { at, store } = await followed();
    const before = validOf(store.current(), 'a');
    await rename(at('workflows/a.yaml'), at('workflows/a.yml'));
    await until(store, (state) => state.workflows[0]?.source.endsWith('.yml') === true);
    expect(validOf(store.current(), 'a').workflow).toBe(before.workflow);
  });
});

describe('the times of a workflow', () => {
  it('report since when it is valid or invalid', async () => {
    const { at, write, shows, store } = await followed();
    const transition = (): string | undefined =>
      store.current().workflows[0]?.status.conditions[0]?.lastTransitionTime;
    const first = transition();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await write('workflows/a.yaml', toWorkflowFile('a', 'x_s_two'));
    await shows('a=x_s_two');
    expect(transition()).toBe(first);
    await write('workflows/a.yaml', 'kind: [\n');
    await utimes(at('workflows/a.yaml'), 4_000_000_000, 4_000_000_000);
    await shows('a!');
    expect(transition()).toBe(new Date(4_000_000_000_000).toISOString());
  });
  it('report the first creation time although editors create its file again', async () => {
    const { replace, shows, store } = await followed();
    const before = validOf(store.current(), 'a');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await replace('workflows/a.yaml', toWorkflowFile('a', 'x_s_two'));
    await shows('a=x_s_two');
    const after = validOf(store.current(), 'a');
    expect(after.createdAt).toBe(before.createdAt);
    expect(after.modifiedAt).toBeGreaterThan(before.modifiedAt);
  });
});

it('keeps workflows in use when the directory of servers cannot be listed, and the other way round', async () => {
  const { at, write, store } = await followed();
  await write('mcpservers/s.yaml', serverText('s'));
  await until(store, ({ servers }) => servers.length === 1);
  await rename(at('workflows'), at('elsewhere'));
  await write('workflows', '');
  await until(store, ({ problems }) => problems.length === 1);
  await rm(at('mcpservers/s.yaml'));
  await until(store, ({ servers }) => servers.length === 0);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(toolsOf(store.current())).toEqual(['a=x_s_one']);
});
