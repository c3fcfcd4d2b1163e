import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createResourceKey } from '../../src/index.ts';
import type { FileStoreOptions } from '../../src/files/open-file-store.ts';
import { createWorkflowWriter } from '../../src/files/workflow-files.ts';
import { YamlFiles } from '../../src/files/yaml-files.ts';
import {
  configurationDirectory,
  opened,
  recorded,
  writeManyEmpty,
} from './configuration-directory.ts';
import { named, toolsOf, validOf, workflow, toWorkflowFile } from './workflow-documents.ts';

/** A followed directory without workflows/. */
const writable = async (options: Partial<FileStoreOptions> = {}) => {
  const configuration = await configurationDirectory();
  const store = await opened({ ...options, directory: configuration.directory });
  const files = (): Promise<string[]> => readdir(configuration.at('workflows'));
  const text = (file: string): Promise<string> =>
    readFile(configuration.at('workflows', file), 'utf8');
  return { ...configuration, store, files, text, states: recorded(store) };
};

const calling = (tool: string) => ({ steps: [{ id: 'one', tool }] });

describe('create', () => {
  it('writes a file, makes the directory for it, and has it in the state when it is done', async () => {
    const { store, files, text, states } = await writable();
    const wanted = workflow('a', {}, { labels: { team: 'x' } });
    expect(await store.workflows.create(wanted)).toEqual({ kind: 'done' });
    expect(validOf(store.current(), 'a').workflow).toEqual(wanted);
    expect(states.map(toolsOf)).toEqual([[], ['a=x_s_run']]);
    expect(await files()).toEqual(['a.yaml']);
    expect((await text('a.yaml')).replace(/".*Z"/, 'TIME'))
      .toBe(`apiVersion: gateway.internal/v1alpha1
kind: Workflow
metadata:
  name: a
  labels:
    team: x
  creationTimestamp: TIME
spec:
  description: Runs it.
  steps:
    - id: one
      tool: x_s_run
`);
  });
  it.each(['a.yaml', 'a.yml'])('never writes over %s, good or bad', async (file) => {
    const { at, store, files, text } = await writable();
    await mkdir(at('workflows'));
    await writeFile(at('workflows', file), 'mine: [');
    expect(await store.workflows.create(workflow('a'))).toEqual({ kind: 'exists' });
    expect(await text(file)).toBe('mine: [');
    expect(await files()).toEqual([file]);
  });
  it.each([
    ['a link to nowhere', (file: string) => symlink('nowhere', file)],
    ['a directory', (file: string) => mkdir(file)],
  ])('never takes the place of %s', async (_what, put) => {
    const { at, store, files } = await writable();
    await mkdir(at('workflows'));
    await put(at('workflows/a.yaml'));
    expect(await store.workflows.create(workflow('a'))).toEqual({ kind: 'exists' });
    expect(await files()).toEqual(['a.yaml']);
  });
  it('accepts one of many concurrent creations', async () => {
    const { store, files } = await writable();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        store.workflows.create(workflow('a', calling(`x_s_${String(n)}`))),
      ),
    );
    expect(results.map(({ kind }) => kind).sort()).toEqual([
      'done',
      ...Array.from({ length: 19 }, () => 'exists'),
    ]);
    expect(toolsOf(store.current())).toEqual(['a=x_s_0']);
    expect(await files()).toEqual(['a.yaml']);
  });
  it('writes many names at once', async () => {
    const { store, files } = await writable();
    const names = Array.from({ length: 50 }, (_, n) => `w${String(n).padStart(2, '0')}`);
    const results = await Promise.all(names.map((name) => store.workflows.create(workflow(name))));
    expect(results.every(({ kind }) => kind === 'done')).toBe(true);
    expect(store.current().workflows.map(({ name }) => name)).toEqual(names);
    expect(await files()).toHaveLength(50);
  });
  it('creates a removed workflow again', async () => {
    const { store } = await writable();
    await store.workflows.create(workflow('a', calling('x_s_one')));
    await store.workflows.remove(createResourceKey('a'));
    expect(await store.workflows.create(workflow('a', calling('x_s_two')))).toEqual({
      kind: 'done',
    });
    expect(toolsOf(store.current())).toEqual(['a=x_s_two']);
  });
});

describe('replace', () => {
  it('writes the new version, which is in the state when it is done', async () => {
    const { store, files, states } = await writable();
    await store.workflows.create(workflow('a', calling('x_s_one')));
    const { createdAt } = validOf(store.current(), 'a');
    expect(await store.workflows.replace(workflow('a', calling('x_s_two')))).toEqual({
      kind: 'done',
    });
    expect(states.map(toolsOf)).toEqual([[], ['a=x_s_one'], ['a=x_s_two']]);
    expect(validOf(store.current(), 'a').createdAt).toBe(createdAt);
    expect(await files()).toEqual(['a.yaml']);
  });
  it('reports a missing workflow', async () => {
    const { store, directory } = await writable();
    expect(await store.workflows.replace(workflow('a'))).toEqual({ kind: 'missing' });
    expect(await readdir(directory)).toEqual(['mcpservers']);
    await store.workflows.create(workflow('b'));
    expect(await store.workflows.replace(workflow('a'))).toEqual({ kind: 'missing' });
  });
  it('writes to a.yml where that is the file', async () => {
    const { at, store, files } = await writable();
    await mkdir(at('workflows'));
    await writeFile(at('workflows/a.yml'), toWorkflowFile('a'));
    await store.workflows.replace(workflow('a', calling('x_s_two')));
    expect(await files()).toEqual(['a.yml']);
    expect(toolsOf(store.current())).toEqual(['a=x_s_two']);
  });
  it('keeps permissions', async () => {
    const { at, store } = await writable();
    await mkdir(at('workflows'));
    for (const mode of [0o600, 0o644, 0o660]) {
      await writeFile(at('workflows/a.yaml'), toWorkflowFile('a'));
      await chmod(at('workflows/a.yaml'), mode);
      expect(await store.workflows.replace(workflow('a'))).toEqual({ kind: 'done' });
      expect((await stat(at('workflows/a.yaml'))).mode & 0o777).toBe(mode);
    }
  });
  it('follows a link and keeps it', async () => {
    const { at, write, store, files } = await writable();
    await mkdir(at('workflows'));
    await mkdir(at('elsewhere'));
    await write('elsewhere/real.txt', toWorkflowFile('a'));
    await symlink('../elsewhere/real.txt', at('workflows/a.yaml'));
    expect(await store.workflows.replace(workflow('a', calling('x_s_two')))).toEqual({
      kind: 'done',
    });
    expect(await readlink(at('workflows/a.yaml'))).toBe('../elsewhere/real.txt');
    expect(await files()).toEqual(['a.yaml']);
    expect(await readdir(at('elsewhere'))).toEqual(['real.txt']);
    expect(toolsOf(store.current())).toEqual(['a=x_s_two']);
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
    [
      'labels that no resource may have',
      toWorkflowFile('a').replace('name: a', 'name: a\n  labels: {a: "?"}'),
    ],
  ])('heals a file that holds %s', async (_what, before) => {
    const { at, store, files } = await writable();
    await mkdir(at('workflows'));
    await writeFile(at('workflows/a.yaml'), before);
    expect(await store.workflows.replace(workflow('a', calling('x_s_two')))).toEqual({
      kind: 'done',
    });
    expect(toolsOf(store.current())).toEqual(['a=x_s_two']);
    expect(store.current().problems).toEqual([]);
    expect(await files()).toEqual(['a.yaml']);
  });
  it('keeps labels and comments of a file whose name or version is wrong', async () => {
    const { at, store, text } = await writable();
    await mkdir(at('workflows'));
    const before = toWorkflowFile('b').replace('name: b', 'name: b # wrong\n  labels: {team: x}');
    await writeFile(at('workflows/a.yaml'), `# top\n${before}extra: 1\n`);
    await store.workflows.replace(workflow('a'));
    expect(await text('a.yaml')).toBe(`# top
apiVersion: gateway.internal/v1alpha1
kind: Workflow
metadata:
  name: a # wrong
  labels: {team: x}
spec:
  description: Runs it.
  steps:
    - id: one
      tool: x_s_run
`);
  });
  it('ends concurrent edits in the last one, whole', async () => {
    const { store, files } = await writable();
    await store.workflows.create(workflow('a'));
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        store.workflows.replace(workflow('a', calling(`x_s_${String(n)}`))),
      ),
    );
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['done']));
    expect(toolsOf(store.current())).toEqual(['a=x_s_29']);
    expect(await files()).toEqual(['a.yaml']);
  });
  it('writes nothing for equal content, and calls no listener', async () => {
    const { store, states } = await writable();
    await store.workflows.create(workflow('a'));
    expect(await store.workflows.replace(workflow('a'))).toEqual({ kind: 'done' });
    expect(states.map(toolsOf)).toEqual([[], ['a=x_s_run']]);
  });
});

describe('remove', () => {
  it.each(['a.yaml', 'a.yml'])(
    'deletes %s, and the state is without it when it is done',
    async (file) => {
      const { at, store, files, states } = await writable();
      await mkdir(at('workflows'));
      await writeFile(at('workflows', file), toWorkflowFile('a'));
      await store.workflows.create(workflow('b'));
      expect(await store.workflows.remove(createResourceKey('a'))).toEqual({ kind: 'done' });
      expect(toolsOf(store.current())).toEqual(['b=x_s_run']);
      expect(states.at(-1)).toBe(store.current());
      expect(await files()).toEqual(['b.yaml']);
      expect(await store.workflows.remove(createResourceKey('a'))).toEqual({ kind: 'missing' });
    },
  );
  it('deletes a file that cannot be used', async () => {
    const { at, store, files } = await writable();
    await mkdir(at('workflows'));
    await writeFile(at('workflows/Not A Name.yaml'), 'kind: [\n');
    expect(await store.workflows.remove(createResourceKey('Not A Name'))).toEqual({ kind: 'done' });
    expect(await files()).toEqual([]);
    expect(store.current().workflows).toEqual([]);
  });
  it('deletes a link, not its target', async () => {
    const { at, write, store } = await writable();
    await mkdir(at('workflows'));
    await write('real.txt', toWorkflowFile('a'));
    await symlink('../real.txt', at('workflows/a.yaml'));
    expect(await store.workflows.remove(createResourceKey('a'))).toEqual({ kind: 'done' });
    expect(await readFile(at('real.txt'), 'utf8')).toBe(toWorkflowFile('a'));
  });
});

describe('two files of one name', () => {
  it('are not changed until one is deleted', async () => {
    const { at, store, files } = await writable();
    await mkdir(at('workflows'));
    await writeFile(at('workflows/a.yaml'), toWorkflowFile('a', 'x_s_one'));
    await writeFile(at('workflows/a.yml'), toWorkflowFile('a', 'x_s_two'));
    const text = 'a.yaml and a.yml define the same resource; keep one of them';
    expect(await store.workflows.create(workflow('a'))).toEqual({ kind: 'exists' });
    expect(await store.workflows.replace(workflow('a'))).toEqual({ kind: 'failed', text });
    expect(await store.workflows.remove(createResourceKey('a'))).toEqual({ kind: 'failed', text });
    expect(await files()).toEqual(['a.yaml', 'a.yml']);
  });
});

const NAMES = [
  '../x',
  '..',
  '.',
  '',
  '/etc/passwd',
  'a/b',
  '../mcpservers/s',
  '.hidden',
  'a\u0000b',
  '\u{1F600}',
  '__proto__',
  'a\n',
  'A',
  'a'.repeat(254),
];

describe('no name leads out of the directory', () => {
  it.each(NAMES)('%j', async (name) => {
    const { at, write, directory, store } = await writable();
    await write('mcpservers/s.yaml', 'here: before\n');
    await write('x.yaml', 'here: before\n');
    await store.workflows.create(workflow('w'));
    const before = await readdir(directory, { recursive: true });
    const created = await store.workflows.create(named(name));
    expect(created.kind === 'failed' ? created.text : created.kind).toMatch(
      /^the workflow cannot be written: metadata\.name: must (consist|have|not|be)/,
    );
    expect(await store.workflows.replace(named(name))).toEqual({ kind: 'missing' });
    expect(await store.workflows.remove(createResourceKey(name))).toEqual({ kind: 'missing' });
    expect(await readdir(directory, { recursive: true })).toEqual(before);
    expect(await readFile(at('mcpservers/s.yaml'), 'utf8')).toBe('here: before\n');
  });
  it('nor does one of 10 MB, which no answer repeats', async () => {
    const { store, files } = await writable();
    await store.workflows.create(workflow('w'));
    const name = 'a'.repeat(10_000_000);
    expect(await store.workflows.create(named(name))).toEqual({
      kind: 'failed',
      text: 'the workflow cannot be written: it would be larger than 131072 bytes',
    });
    expect(await store.workflows.replace(named(name))).toEqual({ kind: 'missing' });
    expect(await store.workflows.remove(createResourceKey(name))).toEqual({ kind: 'missing' });
    expect(await files()).toEqual(['w.yaml']);
  });
  it('while "constructor" is a name like any other', async () => {
    const { store } = await writable();
    expect(await store.workflows.create(workflow('constructor'))).toEqual({ kind: 'done' });
    expect(toolsOf(store.current())).toEqual(['constructor=x_s_run']);
  });
  it('and so is the longest name that the file system takes', async () => {
    const { store, files } = await writable();
    const name = 'a'.repeat(250);
    expect(await store.workflows.create(workflow(name))).toEqual({ kind: 'done' });
    expect(await store.workflows.create(workflow('a'.repeat(251)))).toEqual({
      kind: 'failed',
      text: `cannot write workflows/${'a'.repeat(251)}.yaml: the name is too long for the file system`,
    });
    expect(await files()).toEqual([`${name}.yaml`]);
  });
});

describe('a workflow is refused that', () => {
  it('would be larger than a file may be', async () => {
    const { store, directory } = await writable();
    const args = { text: 'x'.repeat(600_000) };
    const steps = ['one', 'two'].map((id) => ({ id, tool: 'x_s_run', args }));
    expect(await store.workflows.create(workflow('a', { steps }))).toEqual({
      kind: 'failed',
      text: 'the workflow cannot be written: it would be larger than 131072 bytes',
    });
    expect(await readdir(directory)).toEqual(['mcpservers']);
  });
  it('is of another API group', async () => {
    const { store } = await writable({ apiGroup: 'example.com' });
    expect(await store.workflows.create(workflow('a'))).toEqual({
      kind: 'failed',
      text: 'the workflow cannot be written: apiVersion: must be example.com/v1alpha1',
    });
  });
  it('would be the 4097th, which would not be read', async () => {
    const configuration = await configurationDirectory();
    const { at, directory } = configuration;
    const onWritten = () => Promise.resolve();
    const files = new YamlFiles({ root: directory, folder: 'workflows', onWritten });
    const writer = createWorkflowWriter({ files, isAddressed: () => true });
    await mkdir(at('workflows'));
    const names = Array.from({ length: 4096 }, (_, n) => `w${String(n)}.yaml`);
    await writeManyEmpty(configuration, 'workflows', names);
    expect(await writer.create(workflow('a'))).toEqual({
      kind: 'failed',
      text: 'workflows/ holds 4096 files, and no more are read',
    });
    await rm(at('workflows/w7.yaml'));
    expect(await writer.create(workflow('a'))).toEqual({ kind: 'done' });
    expect(await readdir(at('workflows'))).toHaveLength(4096);
  });
});

describe('a configuration directory', () => {
  it('that is missing is not created, because all its resources would seem deleted', async () => {
    const { directory, store } = await writable();
    await rename(directory, `${directory}-elsewhere`);
    expect(await store.workflows.create(workflow('a'))).toEqual({
      kind: 'failed',
      text: 'cannot write workflows/a.yaml: its directory does not exist',
    });
    await expect(stat(directory)).rejects.toThrow('ENOENT');
    await rename(`${directory}-elsewhere`, directory);
  });
  it('may have a file in the place of workflows/, which stays', async () => {
    const { at, write, store } = await writable();
    await write('workflows', 'mine');
    expect(await store.workflows.create(workflow('a'))).toEqual({
      kind: 'failed',
      text: 'cannot write to workflows/: its directory is not a directory',
    });
    expect(await readFile(at('workflows'), 'utf8')).toBe('mine');
  });
});

describe('after close', () => {
  it('earlier writes are done, and later ones are refused', async () => {
    const { store, files } = await writable();
    const writes = [store.workflows.create(workflow('a')), store.workflows.create(workflow('b'))];
    const closing = store.close();
    expect(await store.workflows.create(workflow('c'))).toEqual({
      kind: 'failed',
      text: 'the store is closed',
    });
    await closing;
    expect(await files()).toEqual(['a.yaml', 'b.yaml']);
    expect(await Promise.all(writes)).toEqual([{ kind: 'done' }, { kind: 'done' }]);
  });
});

it('reads a later write of another process without delay', async () => {
  const { at, store } = await writable();
  await store.workflows.create(workflow('a'));
  const file = at('workflows/a.yaml');
  for (let n = 0; n < 20; n += 1) {
    const writing = store.workflows.replace(workflow('a', calling(`x_s_${String(n)}`)));
    await rm(file, { force: true });
    const { kind } = await writing;
    expect(['done', 'missing']).toContain(kind);
    await writeFile(file, toWorkflowFile('a', 'x_s_mine'));
  }
  const { kind } = await store.workflows.replace(workflow('a', calling('x_s_last')));
  expect(kind).toBe('done');
  expect(toolsOf(store.current())).toEqual(['a=x_s_last']);
});
