import { rename, utimes } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openedDirectory, serverText, until } from './configuration-directory.ts';
import { invalidOf, validOf, toWorkflowFile } from './workflow-documents.ts';

const A = 'workflows/a.yaml';
const ONE = toWorkflowFile('a', 'x_s_one');
const TWO = toWorkflowFile('a', 'x_s_two');

/** A followed directory with a workflow `a` that calls `x_s_one`. */
const followed = () => openedDirectory({ [A]: ONE });

it('reports a workflow that stays broken, keeps the rest, and drops a deleted one', async () => {
  const { write, remove, shows, store, lines } = await followed();
  await write('mcpservers/s.yaml', serverText('s'));
  await write('workflows/b.yaml', '');
  await shows('s=run', 'a=x_s_one', 'b!');
  expect(lines()).toEqual(['workflows/b.yaml: the file is empty']);
  await write(A, 'kind: [\n');
  await shows('s=run', 'a!', 'b!');
  expect(invalidOf(store.current(), 'a').status.validationErrors).toHaveLength(1);
  await remove(A);
  await remove('workflows/b.yaml');
  await shows('s=run');
  expect(lines()).toEqual([]);
});

describe('the unchanged parts of workflows', () => {
  it('keep their identity when others change', async () => {
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
  it('are not announced: the same text again, another time of the file', async () => {
    const { at, write, states, shows, contents, store } = await followed();
    await write(A, ONE);
    await utimes(at(A), 1000, 1000);
    await store.refresh();
    await write('workflows/b.yaml', toWorkflowFile('b'));
    await shows('a=x_s_one', 'b=x_s_run');
    expect(contents()).toEqual([['a=x_s_one'], ['a=x_s_one', 'b=x_s_run']]);
    expect(states[1]?.workflows[0]).toBe(states[0]?.workflows[0]);
  });
  it('are the workflow when a comment changes, while its text is the new one', async () => {
    const { write, store } = await followed();
    const before = validOf(store.current(), 'a');
    const text = `# note\n${ONE}`;
    await write(A, text);
    await until(store, (state) => state.workflows[0]?.text === text);
    const after = validOf(store.current(), 'a');
    expect(after.workflow).toBe(before.workflow);
    expect([after.createdAt, after.status]).toEqual([before.createdAt, before.status]);
  });
  it('are the workflow when a.yaml becomes a.yml', async () => {
    const { at, store } = await followed();
    const before = validOf(store.current(), 'a');
    await rename(at(A), at('workflows/a.yml'));
    await until(store, (state) => state.workflows[0]?.source.endsWith('.yml') === true);
    expect(validOf(store.current(), 'a').workflow).toBe(before.workflow);
  });
});

it('has the first creation time of a workflow, and since when it is valid or invalid', async () => {
  const { at, write, replace, shows, store } = await followed();
  const transition = () => store.current().workflows[0]?.status.conditions[0]?.lastTransitionTime;
  const [first, before] = [transition(), validOf(store.current(), 'a')];
  await wait(20);
  await replace(A, TWO);
  await shows('a=x_s_two');
  const after = validOf(store.current(), 'a');
  expect([transition(), after.createdAt]).toEqual([first, before.createdAt]);
  expect(after.modifiedAt).toBeGreaterThan(before.modifiedAt);
  await write(A, 'kind: [\n');
  await utimes(at(A), 4_000_000_000, 4_000_000_000);
  await shows('a!');
  expect(transition()).toBe(new Date(4_000_000_000_000).toISOString());
});

it('keeps workflows in use when their directory cannot be listed, and follows servers', async () => {
  const { write, remove, rename: move, store, content } = await followed();
  await write('mcpservers/s.yaml', serverText('s'));
  await until(store, ({ servers }) => servers.length === 1);
  await move('workflows', 'elsewhere');
  await write('workflows', '');
  await until(store, ({ problems }) => problems.length === 1);
  await remove('mcpservers/s.yaml');
  await until(store, ({ servers }) => servers.length === 0);
  await wait(500);
  expect(content()).toEqual(['a=x_s_one']);
});
