import { chmod, mkdir, readdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createResourceKey } from '../../src/index.ts';
import type { FileStoreOptions } from '../../src/files/open-file-store.ts';
import { createWorkflowWriter } from '../../src/files/workflow-files.ts';
import { YamlFiles } from '../../src/files/yaml-files.ts';
import {
  configurationDirectory,
  openedDirectory,
  writeManyEmpty,
  type Files,
} from './configuration-directory.ts';
import { named, validOf, workflow, toWorkflowFile } from './workflow-documents.ts';

const DONE = { kind: 'done' };
const EXISTS = { kind: 'exists' };
const MISSING = { kind: 'missing' };
const failed = (text: string) => ({ kind: 'failed', text });

const A = 'workflows/a.yaml';
const YML = 'workflows/a.yml';
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Writes workflows of one step to a followed directory. */
const writable = async (files: Files = {}, options: Partial<FileStoreOptions> = {}) => {
  const directory = await openedDirectory(files, options);
  const { workflows } = directory.store;
  const calling = (name: string, tool?: string) =>
    workflow(name, tool === undefined ? {} : { steps: [{ id: 'one', tool }] });
  return {
    ...directory,
    create: (name: string, tool?: string) => workflows.create(calling(name, tool)),
    replace: (name: string, tool?: string) => workflows.replace(calling(name, tool)),
    remove: (name: string) => workflows.remove(createResourceKey(name)),
    list: () => directory.files('workflows'),
  };
};

describe('create', () => {
  it('writes a file, makes the directory for it, and has it in the state when it is done', async () => {
    const { store, list, text, contents } = await writable();
    const wanted = workflow('a', {}, { labels: { team: 'x' } });
    expect(await store.workflows.create(wanted)).toEqual(DONE);
    expect(validOf(store.current(), 'a').workflow).toEqual(wanted);
    expect([contents(), await list()]).toEqual([[[], ['a=x_s_run']], ['a.yaml']]);
    expect((await text(A)).replace(/".*Z"/, 'TIME')).toBe(
      toWorkflowFile('a').replace(
        'name: a',
        'name: a\n  labels:\n    team: x\n  creationTimestamp: TIME',
      ),
    );
  });
  it.each(['a.yaml', 'a.yml'])('never writes over %s, good or bad', async (file) => {
    const { create, list, text } = await writable({ [`workflows/${file}`]: 'mine: [' });
    expect(await create('a')).toEqual(EXISTS);
    expect([await text(`workflows/${file}`), await list()]).toEqual(['mine: [', [file]]);
  });
  it.each([
    ['a link to nowhere', (file: string) => symlink('nowhere', file)],
    ['a directory', (file: string) => mkdir(file)],
  ])('never takes the place of %s', async (_what, put) => {
    const { at, create, list } = await writable();
    await mkdir(at('workflows'));
    await put(at(A));
    expect(await create('a')).toEqual(EXISTS);
    expect(await list()).toEqual(['a.yaml']);
  });
  it('accepts one of many concurrent creations', async () => {
    const { create, content, list } = await writable();
    const results = await Promise.all(numbers(20).map((n) => create('a', `x_s_${String(n)}`)));
    expect(results).toEqual([DONE, ...numbers(19).map(() => EXISTS)]);
    expect([content(), await list()]).toEqual([['a=x_s_0'], ['a.yaml']]);
  });
  it('writes many names at once', async () => {
    const { store, create, list } = await writable();
    const names = numbers(50).map((n) => `w${String(n).padStart(2, '0')}`);
    const results = await Promise.all(names.map((name) => create(name)));
    expect(results).toEqual(names.map(() => DONE));
    expect(store.current().workflows.map(({ name }) => name)).toEqual(names);
    expect(await list()).toHaveLength(50);
  });
  it('creates a removed workflow again', async () => {
    const { create, remove, content } = await writable();
    await create('a', 'x_s_one');
    await remove('a');
    expect(await create('a', 'x_s_two')).toEqual(DONE);
    expect(content()).toEqual(['a=x_s_two']);
  });
});

describe('replace', () => {
  it('writes the new version, which is in the state when it is done, and equal content not again', async () => {
    const { store, create, replace, list, contents } = await writable();
    await create('a', 'x_s_one');
    const { createdAt } = validOf(store.current(), 'a');
    for (const _time of [1, 2]) expect(await replace('a', 'x_s_two')).toEqual(DONE);
    expect(contents()).toEqual([[], ['a=x_s_one'], ['a=x_s_two']]);
    expect(validOf(store.current(), 'a').createdAt).toBe(createdAt);
    expect(await list()).toEqual(['a.yaml']);
  });
  it('reports a missing workflow', async () => {
    const { create, replace, files } = await writable();
    expect(await replace('a')).toEqual(MISSING);
    expect(await files('')).toEqual(['mcpservers']);
    await create('b');
    expect(await replace('a')).toEqual(MISSING);
  });
  it('writes to a.yml where that is the file', async () => {
    const { replace, list, content } = await writable({ [YML]: toWorkflowFile('a') });
    await replace('a', 'x_s_two');
    expect([await list(), content()]).toEqual([['a.yml'], ['a=x_s_two']]);
  });
  it('keeps permissions', async () => {
    const { at, write, replace } = await writable();
    for (const mode of [0o600, 0o644, 0o660]) {
      await write(A, toWorkflowFile('a'));
      await chmod(at(A), mode);
      expect(await replace('a')).toEqual(DONE);
      expect((await stat(at(A))).mode & 0o777).toBe(mode);
    }
  });
  it('follows a link and keeps it', async () => {
    const { at, replace, list, files, content } = await writable({
      'elsewhere/real.txt': toWorkflowFile('a'),
    });
    await mkdir(at('workflows'));
    await symlink('../elsewhere/real.txt', at(A));
    expect(await replace('a', 'x_s_two')).toEqual(DONE);
    expect(await readlink(at(A))).toBe('../elsewhere/real.txt');
    expect([await list(), await files('elsewhere')]).toEqual([['a.yaml'], ['real.txt']]);
    expect(content()).toEqual(['a=x_s_two']);
  });
  it.each([
    ['broken YAML', 'kind: [\n'],
    ['nothing', ''],
    ['bytes that are no text', Uint8Array.of(0xff)],
    ['more than a file may have', '#'.repeat(131_073)],
    ['a name that is not its own', toWorkflowFile('b')],
    ['another kind', toWorkflowFile('a').replace('Workflow', 'Playbook')],
    ['keys that no resource has', `${toWorkflowFile('a')}extra: true\n`],
    ['a list', '- a\n'],
    ['another version', toWorkflowFile('a').replace('v1alpha1', 'v9')],
    ['a name only', 'metadata: {name: a}\n'],
    ['invalid labels', toWorkflowFile('a').replace('name: a', 'name: a\n  labels: {a: "?"}')],
  ])('heals a file that holds %s', async (_what, before) => {
    const { replace, list, content, lines } = await writable({ [A]: before });
    expect(await replace('a', 'x_s_two')).toEqual(DONE);
    expect([content(), lines(), await list()]).toEqual([['a=x_s_two'], [], ['a.yaml']]);
  });
  it('keeps labels and comments of a file whose name or version is wrong', async () => {
    const before = toWorkflowFile('b').replace('name: b', 'name: b # wrong\n  labels: {team: x}');
    const { replace, text } = await writable({ [A]: `# top\n${before}extra: 1\n` });
    await replace('a');
    const after = toWorkflowFile('a').replace('name: a', 'name: a # wrong\n  labels: {team: x}');
    expect(await text(A)).toBe(`# top\n${after}`);
  });
  it('ends concurrent edits in the last one, whole', async () => {
    const { create, replace, list, content } = await writable();
    await create('a');
    const results = await Promise.all(numbers(30).map((n) => replace('a', `x_s_${String(n)}`)));
    expect(results).toEqual(numbers(30).map(() => DONE));
    expect([content(), await list()]).toEqual([['a=x_s_29'], ['a.yaml']]);
  });
});

describe('remove', () => {
  it.each(['a.yaml', 'a.yml'])(
    'deletes %s, and the state is without it when it is done',
    async (file) => {
      const before = { [`workflows/${file}`]: toWorkflowFile('a') };
      const { create, remove, store, list, content, states } = await writable(before);
      await create('b');
      expect(await remove('a')).toEqual(DONE);
      expect([content(), await list()]).toEqual([['b=x_s_run'], ['b.yaml']]);
      expect(states.at(-1)).toBe(store.current());
      expect(await remove('a')).toEqual(MISSING);
    },
  );
  it('deletes a file that cannot be used', async () => {
    const { remove, list, content } = await writable({ 'workflows/Not A Name.yaml': 'kind: [\n' });
    expect(await remove('Not A Name')).toEqual(DONE);
    expect([await list(), content()]).toEqual([[], []]);
  });
  it('deletes a link, not its target', async () => {
    const { at, remove, text } = await writable({ 'real.txt': toWorkflowFile('a') });
    await mkdir(at('workflows'));
    await symlink('../real.txt', at(A));
    expect(await remove('a')).toEqual(DONE);
    expect(await text('real.txt')).toBe(toWorkflowFile('a'));
  });
});

it('does not change two files of one name until one is deleted', async () => {
  const { create, replace, remove, list } = await writable({
    [A]: toWorkflowFile('a', 'x_s_one'),
    [YML]: toWorkflowFile('a', 'x_s_two'),
  });
  const refused = failed('a.yaml and a.yml define the same resource; keep one of them');
  expect([await create('a'), await replace('a'), await remove('a')]).toEqual([
    ...[EXISTS, refused, refused],
  ]);
  expect(await list()).toEqual(['a.yaml', 'a.yml']);
});

describe('no name leads out of the directory', () => {
  it.each([
    ...['../x', '..', '.', '', '/etc/passwd', 'a/b', '../mcpservers/s', '.hidden', 'a\u0000b'],
    ...['\u{1F600}', '__proto__', 'a\n', 'A', 'a'.repeat(254)],
  ])('%j', async (name) => {
    const files = { 'mcpservers/s.yaml': 'here: before\n', 'x.yaml': 'here: before\n' };
    const { text, directory, store, create, remove } = await writable(files);
    await create('w');
    const before = await readdir(directory, { recursive: true });
    const created = await store.workflows.create(named(name));
    expect(created.kind === 'failed' ? created.text : created.kind).toMatch(
      /^the workflow cannot be written: metadata\.name: must (consist|have|not|be)/,
    );
    expect(await store.workflows.replace(named(name))).toEqual(MISSING);
    expect(await remove(name)).toEqual(MISSING);
    expect(await readdir(directory, { recursive: true })).toEqual(before);
    expect(await text('mcpservers/s.yaml')).toBe('here: before\n');
  });
  it('nor does one of 10 MB, which no answer repeats', async () => {
    const { store, create, remove, list } = await writable();
    await create('w');
    const name = 'a'.repeat(10_000_000);
    expect(await store.workflows.create(named(name))).toEqual(
      failed('the workflow cannot be written: it would be larger than 131072 bytes'),
    );
    expect(await store.workflows.replace(named(name))).toEqual(MISSING);
    expect(await remove(name)).toEqual(MISSING);
    expect(await list()).toEqual(['w.yaml']);
  });
  it('while "constructor" and the longest name that the file system takes are names', async () => {
    const { create, content } = await writable();
    const [longest, longer] = ['a'.repeat(250), 'a'.repeat(251)];
    expect(await create('constructor')).toEqual(DONE);
    expect(await create(longest)).toEqual(DONE);
    expect(await create(longer)).toEqual(
      failed(`cannot write workflows/${longer}.yaml: the name is too long for the file system`),
    );
    expect(content()).toEqual([`${longest}=x_s_run`, 'constructor=x_s_run']);
  });
});

describe('a workflow is refused that', () => {
  it('would be larger than a file may be', async () => {
    const { store, files } = await writable();
    const args = { text: 'x'.repeat(600_000) };
    const steps = ['one', 'two'].map((id) => ({ id, tool: 'x_s_run', args }));
    expect(await store.workflows.create(workflow('a', { steps }))).toEqual(
      failed('the workflow cannot be written: it would be larger than 131072 bytes'),
    );
    expect(await files('')).toEqual(['mcpservers']);
  });
  it('is of another API group', async () => {
    const { create } = await writable({}, { apiGroup: 'example.com' });
    expect(await create('a')).toEqual(
      failed('the workflow cannot be written: apiVersion: must be example.com/v1alpha1'),
    );
  });
  it('would be the 4097th, which would not be read', async () => {
    const configuration = await configurationDirectory();
    const { at, directory } = configuration;
    const onWritten = () => Promise.resolve();
    const files = new YamlFiles({ root: directory, folder: 'workflows', onWritten });
    const writer = createWorkflowWriter({ files, isAddressed: () => true });
    await mkdir(at('workflows'));
    const names = numbers(4096).map((n) => `w${String(n)}.yaml`);
    await writeManyEmpty(configuration, 'workflows', names);
    expect(await writer.create(workflow('a'))).toEqual(
      failed('workflows/ holds 4096 files, and no more are read'),
    );
    await rm(at('workflows/w7.yaml'));
    expect(await writer.create(workflow('a'))).toEqual(DONE);
    expect(await readdir(at('workflows'))).toHaveLength(4096);
  });
});

describe('a configuration directory', () => {
  it('that is missing is not created, because all its resources would seem deleted', async () => {
    const { directory, create } = await writable();
    await rename(directory, `${directory}-elsewhere`);
    expect(await create('a')).toEqual(
      failed('cannot write workflows/a.yaml: its directory does not exist'),
    );
    await expect(stat(directory)).rejects.toThrow('ENOENT');
    await rename(`${directory}-elsewhere`, directory);
  });
  it('may have a file in the place of workflows/, which stays', async () => {
    const { create, text } = await writable({ workflows: 'mine' });
    expect(await create('a')).toEqual(
      failed('cannot write to workflows/: its directory is not a directory'),
    );
    expect(await text('workflows')).toBe('mine');
  });
});

it('finishes earlier writes when it is closed, and refuses later ones', async () => {
  const { store, create, list } = await writable();
  const writes = [create('a'), create('b')];
  const closing = store.close();
  expect(await create('c')).toEqual(failed('the store is closed'));
  await closing;
  expect(await list()).toEqual(['a.yaml', 'b.yaml']);
  expect(await Promise.all(writes)).toEqual([DONE, DONE]);
});

it('reads a later write of another process without delay', async () => {
  const { at, write, create, replace, content } = await writable();
  await create('a');
  for (const n of numbers(20)) {
    const writing = replace('a', `x_s_${String(n)}`);
    await rm(at(A), { force: true });
    expect(['done', 'missing']).toContain((await writing).kind);
    await write(A, toWorkflowFile('a', 'x_s_mine'));
  }
  expect(await replace('a', 'x_s_last')).toEqual(DONE);
  expect(content()).toEqual(['a=x_s_last']);
});
