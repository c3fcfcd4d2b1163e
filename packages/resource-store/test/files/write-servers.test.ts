import { openServerFiles, createResourceKey } from '../../src/index.ts';
import { chmod, readdir, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { asOrdinaryUser, openedDirectory, serverText } from './configuration-directory.ts';

const DONE = { kind: 'done' };
const MISSING = { kind: 'missing' };
const failed = (text: string) => ({ kind: 'failed', text });
const A = 'mcpservers/a.yaml';
const KEY = createResourceKey('a');

const writable = async (before?: string) => {
  const directory = await openedDirectory(before === undefined ? {} : { [A]: before });
  const { servers } = directory.store;
  return {
    ...directory,
    read: () => directory.text(A),
    create: (spec: object, name = 'a') => servers.create(document(spec, name)),
    patch: (patch: Parameters<typeof servers.patch>[1]) => servers.patch(KEY, patch),
    remove: () => servers.remove(KEY),
  };
};

const document = (spec: object, name = 'a') => ({
  apiVersion: 'gateway.internal/v1alpha1',
  kind: 'MCPServer',
  metadata: { name },
  spec,
});

const STDIO = { type: 'stdio', command: 'run' };

const HAND_WRITTEN = `# Ours.
apiVersion: gateway.internal/v1alpha1
kind: MCPServer
metadata:
  name: a   # after the file
  labels: {team: 'x'}

spec:
  # It is quick.
  type: stdio
  command: "run"      # on PATH
  args: ['-y', 'tool@1']
  env:
    # from the vault
    TOKEN: 'abc'
    LEVEL: info
`;

describe('create', () => {
  it('writes a file, and the server is in the state when it is done', async () => {
    const { create, read, content } = await writable();
    expect(await create({ ...STDIO, env: { A: '1' } })).toEqual(DONE);
    expect(content()).toEqual(['a=run']);
    expect(await read()).toBe(`${serverText('a')}  env:\n    A: "1"\n`);
  });
  it('never writes over one that is there', async () => {
    const { create, read } = await writable('mine: [');
    expect(await create(STDIO)).toEqual({ kind: 'exists' });
    expect(await read()).toBe('mine: [');
  });
  it('reports every violated rule, and writes nothing', async () => {
    const { create, files } = await writable();
    const issues = ['spec.command: command is required when type is stdio'];
    expect(await create({ type: 'stdio', url: 'https://x.example' })).toEqual({
      kind: 'invalid',
      issues,
    });
    expect(await files('mcpservers')).toEqual([]);
  });
  it.each(['../x', '', 'A b', '__proto__', '.hidden'])('refuses the name %j', async (name) => {
    const { create, directory } = await writable();
    const before = await readdir(directory, { recursive: true });
    expect(await create(STDIO, name)).toMatchObject({ kind: 'invalid' });
    expect(await readdir(directory, { recursive: true })).toEqual(before);
  });
  it('takes "constructor" for a name like any other', async () => {
    const { create } = await writable();
    expect(await create(STDIO, 'constructor')).toEqual(DONE);
  });
});

describe('patch', () => {
  it('changes only the named fields, and no other byte', async () => {
    const { patch, read, content } = await writable(HAND_WRITTEN);
    const changed = { command: 'fast', env: { LEVEL: 'debug', MORE: '2' }, autoStart: true };
    expect(await patch(changed)).toEqual(DONE);
    expect(await read()).toBe(
      HAND_WRITTEN.replace('"run"', '"fast"').replace(
        'LEVEL: info\n',
        'LEVEL: debug\n    MORE: "2"\n  autoStart: true\n',
      ),
    );
    expect(content()).toEqual(['a=fast']);
  });
  it('removes fields that are null, and replaces lists as a whole', async () => {
    const { patch, read } = await writable(HAND_WRITTEN);
    await patch({ args: ['-q'], env: { TOKEN: null } });
    expect(await read()).toBe(
      HAND_WRITTEN.replace("['-y', 'tool@1']", "['-q']").replace("    TOKEN: 'abc'\n", ''),
    );
  });
  it('does not write an equal file', async () => {
    const { patch, at } = await writable(HAND_WRITTEN);
    const inode = async () => (await stat(at(A), { bigint: true })).ino;
    const before = await inode();
    expect(await patch({ command: 'run' })).toEqual(DONE);
    expect(await inode()).toBe(before);
  });
  it('is refused where a rule would break, and the file stays', async () => {
    const { patch, read } = await writable(HAND_WRITTEN);
    expect(await patch({ type: 'sse', url: 'https://x.example' })).toMatchObject({
      kind: 'invalid',
      issues: ['spec.args: args field is only allowed when type is stdio'],
    });
    expect(await read()).toBe(HAND_WRITTEN);
  });
  it('fixes an invalid server', async () => {
    const before = serverText('a').replace('command: run', 'timeout: 999');
    const { patch, contents, lines } = await writable(before);
    expect(await patch({ command: 'run', timeout: null })).toEqual(DONE);
    expect([contents(), lines()]).toEqual([[[], ['a=run']], []]);
  });
  it('refuses a file that is not a YAML mapping', async () => {
    const { patch, read } = await writable('spec: [\n');
    expect(await patch({ command: 'run' })).toEqual(
      failed('the server cannot be written: its file is not a YAML mapping; fix it by hand first'),
    );
    expect(await read()).toBe('spec: [\n');
  });
  it('reports a missing server', async () => {
    expect(await (await writable()).patch({})).toEqual(MISSING);
  });
  it('does one after the other, and loses none', async () => {
    const { patch, read } = await writable(HAND_WRITTEN);
    const keys = Array.from({ length: 20 }, (_, n) => `K${String(n)}`);
    const results = await Promise.all(keys.map((key) => patch({ env: { [key]: key } })));
    expect(results).toEqual(keys.map(() => DONE));
    for (const key of keys) expect(await read()).toContain(`    ${key}: ${key}\n`);
    expect(await read()).toContain('    # from the vault\n');
  });
});

describe('a file that several programs change', () => {
  it('keeps the change of each of them', async () => {
    const { directory, read } = await writable(serverText('a'));
    const names = ['A', 'B', 'C', 'D', 'E', 'F'];
    const results = await Promise.all(
      names.map((name) => openServerFiles({ directory }).patch(KEY, { env: { [name]: '1' } })),
    );
    expect(results).toEqual(names.map(() => DONE));
    const text = await read();
    for (const name of names) expect(text).toContain(`    ${name}: "1"\n`);
  });
  it('has one of two new texts, and the other is told that it exists', async () => {
    const { directory, read } = await writable();
    const results = await Promise.all(
      ['one', 'two'].map((command) =>
        openServerFiles({ directory }).create(document({ type: 'stdio', command })),
      ),
    );
    expect(results.map(({ kind }) => kind).sort()).toEqual(['done', 'exists']);
    expect(await read()).toContain(results[0]?.kind === 'done' ? 'command: one' : 'command: two');
  });
});

it('deletes the file, and the server is absent when the removal resolves', async () => {
  const { remove, content } = await writable(HAND_WRITTEN);
  expect([await remove(), content(), await remove()]).toEqual([DONE, [], MISSING]);
});

it('reports a read-only directory, and changes nothing', async () => {
  const { create, patch, remove, at, directory, read } = await writable(HAND_WRITTEN);
  await chmod(at('mcpservers'), 0o555);
  const results = await asOrdinaryUser(directory, async () => [
    await create(STDIO, 'b'),
    await patch({ command: 'x' }),
    await remove(),
  ]);
  expect(results).toEqual([
    failed('cannot write mcpservers/b.yaml: permission denied'),
    failed('cannot write mcpservers/a.yaml: permission denied'),
    failed('cannot delete mcpservers/a.yaml: permission denied'),
  ]);
  await chmod(at('mcpservers'), 0o755);
  expect(await read()).toBe(HAND_WRITTEN);
});

describe('config.yaml', () => {
  const fine = (): readonly string[] => [];

  it('is patched in place', async () => {
    const { store, text } = await openedDirectory({
      'config.yaml': '# ours\nhttp: # the endpoint\n  port: 1 # odd\n',
    });
    expect(await store.config.patch({ http: { port: 2, host: 'h' } }, fine)).toEqual(DONE);
    expect(await text('config.yaml')).toBe(
      '# ours\nhttp: # the endpoint\n  port: 2 # odd\n  host: h\n',
    );
    expect(store.current().config?.value).toEqual({ http: { port: 2, host: 'h' } });
  });
  it.each([
    ['config.yaml', {}],
    ['config.yml', { 'config.yml': 'a: 0\n' }],
  ])('is written as %s where it is absent or has that name', async (file, before) => {
    const { store, files, text } = await openedDirectory(before);
    expect(await store.config.patch({ a: 1 }, fine)).toEqual(DONE);
    expect([await files(''), await text(file)]).toEqual([[file, 'mcpservers'], 'a: 1\n']);
  });
  it('is not written when its owner finds something wrong with it', async () => {
    const { store, text } = await openedDirectory({ 'config.yaml': 'a: 1\n' });
    const check = ({ locate }: { locate: (path: readonly string[]) => { line: number } }) => [
      `line ${String(locate(['b']).line)}`,
    ];
    const invalid = { kind: 'invalid', issues: ['line 2'] };
    expect(await store.config.patch({ b: 1 }, check)).toEqual(invalid);
    expect(await text('config.yaml')).toBe('a: 1\n');
  });
  it('is not guessed when it is broken', async () => {
    const { store } = await openedDirectory({ 'config.yaml': 'a: [\n' });
    expect(await store.config.patch({ b: 1 }, fine)).toEqual(
      failed('config.yaml cannot be written: the file is not a YAML mapping; fix it by hand first'),
    );
  });
});

it('reads every change by other processes on a refresh', async () => {
  const { store, write, content } = await writable(HAND_WRITTEN);
  await write('mcpservers/b.yaml', serverText('b'));
  await write('config.yaml', 'x: 1\n');
  await store.refresh();
  expect(content()).toEqual(['a=run', 'b=run']);
  expect(store.current().config?.value).toEqual({ x: 1 });
});
