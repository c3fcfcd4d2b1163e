import { openServerFiles, createResourceKey } from '../../src/index.ts';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  asOrdinaryUser,
  commandsOf,
  configurationDirectory,
  opened,
  serverText,
} from './configuration-directory.ts';

const writable = async (text?: string) => {
  const configuration = await configurationDirectory();
  if (text !== undefined) await configuration.write('mcpservers/a.yaml', text);
  const store = await opened({ directory: configuration.directory });
  const read = (): Promise<string> => readFile(configuration.at('mcpservers/a.yaml'), 'utf8');
  return { ...configuration, store, read };
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
    const { store, read } = await writable();
    expect(await store.servers.create(document({ ...STDIO, env: { A: '1' } }))).toEqual({
      kind: 'done',
    });
    expect(commandsOf(store.current())).toEqual(['a=run']);
    expect(await read()).toBe(`apiVersion: gateway.internal/v1alpha1
kind: MCPServer
metadata:
  name: a
spec:
  type: stdio
  command: run
  env:
    A: "1"
`);
  });
  it('never writes over one that is there', async () => {
    const { store, read } = await writable('mine: [');
    expect(await store.servers.create(document(STDIO))).toEqual({ kind: 'exists' });
    expect(await read()).toBe('mine: [');
  });
  it('reports every violated rule, and writes nothing', async () => {
    const { store, at } = await writable();
    expect(
      await store.servers.create(document({ type: 'stdio', url: 'https://x.example' })),
    ).toEqual({
      kind: 'invalid',
      issues: ['spec.command: command is required when type is stdio'],
    });
    expect(await readdir(at('mcpservers'))).toEqual([]);
  });
  it.each(['../x', '', 'A b', '__proto__', '.hidden'])('refuses the name %j', async (name) => {
    const { store, directory } = await writable();
    const before = await readdir(directory, { recursive: true });
    expect(await store.servers.create(document(STDIO, name))).toMatchObject({ kind: 'invalid' });
    expect(await readdir(directory, { recursive: true })).toEqual(before);
  });
  it('takes "constructor" for a name like any other', async () => {
    const { store } = await writable();
    expect(await store.servers.create(document(STDIO, 'constructor'))).toEqual({ kind: 'done' });
  });
});

describe('patch', () => {
  it('changes only the named fields, and no other byte', async () => {
    const { store, read } = await writable(HAND_WRITTEN);
    const patch = { command: 'fast', env: { LEVEL: 'debug', MORE: '2' }, autoStart: true };
    expect(await store.servers.patch(createResourceKey('a'), patch)).toEqual({ kind: 'done' });
    expect(await read()).toBe(
      HAND_WRITTEN.replace('"run"', '"fast"').replace(
        'LEVEL: info\n',
        'LEVEL: debug\n    MORE: "2"\n  autoStart: true\n',
      ),
    );
    expect(commandsOf(store.current())).toEqual(['a=fast']);
  });
  it('removes fields that are null, and replaces lists as a whole', async () => {
    const { store, read } = await writable(HAND_WRITTEN);
    await store.servers.patch(createResourceKey('a'), { args: ['-q'], env: { TOKEN: null } });
    expect(await read()).toBe(
      HAND_WRITTEN.replace("['-y', 'tool@1']", "['-q']").replace("    TOKEN: 'abc'\n", ''),
    );
  });
  it('does not write an equal file', async () => {
    const { store, at } = await writable(HAND_WRITTEN);
    const before = await stat(at('mcpservers/a.yaml'), { bigint: true });
    expect(await store.servers.patch(createResourceKey('a'), { command: 'run' })).toEqual({
      kind: 'done',
    });
    expect((await stat(at('mcpservers/a.yaml'), { bigint: true })).ino).toBe(before.ino);
  });
  it('is refused where a rule would break, and the file stays', async () => {
    const { store, read } = await writable(HAND_WRITTEN);
    expect(
      await store.servers.patch(createResourceKey('a'), { type: 'sse', url: 'https://x.example' }),
    ).toMatchObject({
      kind: 'invalid',
      issues: ['spec.args: args field is only allowed when type is stdio'],
    });
    expect(await read()).toBe(HAND_WRITTEN);
  });
  it('fixes an invalid server', async () => {
    const { store } = await writable(serverText('a').replace('command: run', 'timeout: 999'));
    expect(store.current().servers).toEqual([]);
    expect(
      await store.servers.patch(createResourceKey('a'), { command: 'run', timeout: null }),
    ).toEqual({
      kind: 'done',
    });
    expect(commandsOf(store.current())).toEqual(['a=run']);
    expect(store.current().problems).toEqual([]);
  });
  it('refuses a file that is not a YAML mapping', async () => {
    const { store, read } = await writable('spec: [\n');
    expect(await store.servers.patch(createResourceKey('a'), { command: 'run' })).toEqual({
      kind: 'failed',
      text: 'the server cannot be written: its file is not a YAML mapping; fix it by hand first',
    });
    expect(await read()).toBe('spec: [\n');
  });
  it('reports a missing server', async () => {
    const { store } = await writable();
    expect(await store.servers.patch(createResourceKey('a'), {})).toEqual({ kind: 'missing' });
  });
  it('does one after the other, and loses none', async () => {
    const { store, read } = await writable(HAND_WRITTEN);
    const keys = Array.from({ length: 20 }, (_, n) => `K${String(n)}`);
    const results = await Promise.all(
      keys.map((key) => store.servers.patch(createResourceKey('a'), { env: { [key]: key } })),
    );
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['done']));
    for (const key of keys) expect(await read()).toContain(`    ${key}: ${key}\n`);
    expect(await read()).toContain('    # from the vault\n');
  });
});

describe('a file that several programs change', () => {
  it('keeps the change of each of them', async () => {
    const { directory, read } = await writable(serverText('a', 'run'));
    const names = ['A', 'B', 'C', 'D', 'E', 'F'];
    const results = await Promise.all(
      names.map((name) =>
        openServerFiles({ directory }).patch(createResourceKey('a'), { env: { [name]: '1' } }),
      ),
    );
    expect(results).toEqual(names.map(() => ({ kind: 'done' })));
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

describe('remove', () => {
  it('deletes the file, and the server is absent when it resolves', async () => {
    const { store } = await writable(HAND_WRITTEN);
    expect(await store.servers.remove(createResourceKey('a'))).toEqual({ kind: 'done' });
    expect(store.current().servers).toEqual([]);
    expect(await store.servers.remove(createResourceKey('a'))).toEqual({ kind: 'missing' });
  });
});

it('reports a read-only directory, and changes nothing', async () => {
  const { store, at, directory, read } = await writable(HAND_WRITTEN);
  await chmod(at('mcpservers'), 0o555);
  const results = await asOrdinaryUser(directory, async () => [
    await store.servers.create(document(STDIO, 'b')),
    await store.servers.patch(createResourceKey('a'), { command: 'x' }),
    await store.servers.remove(createResourceKey('a')),
  ]);
  expect(results).toEqual([
    { kind: 'failed', text: 'cannot write mcpservers/b.yaml: permission denied' },
    { kind: 'failed', text: 'cannot write mcpservers/a.yaml: permission denied' },
    { kind: 'failed', text: 'cannot delete mcpservers/a.yaml: permission denied' },
  ]);
  await chmod(at('mcpservers'), 0o755);
  expect(await read()).toBe(HAND_WRITTEN);
});

describe('config.yaml', () => {
  const fine = (): readonly string[] => [];

  it('is patched in place', async () => {
    const { store, write, at } = await writable();
    await write('config.yaml', '# ours\nhttp: # the endpoint\n  port: 1 # odd\n');
    expect(await store.config.patch({ http: { port: 2, host: 'h' } }, fine)).toEqual({
      kind: 'done',
    });
    expect(await readFile(at('config.yaml'), 'utf8')).toBe(
      '# ours\nhttp: # the endpoint\n  port: 2 # odd\n  host: h\n',
    );
    expect(store.current().config?.value).toEqual({ http: { port: 2, host: 'h' } });
  });
  it('is created when absent, and patched in config.yml', async () => {
    const { store, at } = await writable();
    expect(await store.config.patch({ a: 1 }, fine)).toEqual({ kind: 'done' });
    expect(await readFile(at('config.yaml'), 'utf8')).toBe('a: 1\n');
    const other = await writable();
    await other.write('config.yml', 'a: 1\n');
    expect(await other.store.config.patch({ a: 2 }, fine)).toEqual({ kind: 'done' });
    expect(await readdir(other.directory)).toEqual(['config.yml', 'mcpservers']);
  });
  it('is not written when its owner finds something wrong with it', async () => {
    const { store, write, at } = await writable();
    await write('config.yaml', 'a: 1\n');
    const check = ({ locate }: { locate: (path: readonly string[]) => { line: number } }) => [
      `line ${String(locate(['b']).line)}`,
    ];
    expect(await store.config.patch({ b: 1 }, check)).toEqual({
      kind: 'invalid',
      issues: ['line 2'],
    });
    expect(await readFile(at('config.yaml'), 'utf8')).toBe('a: 1\n');
  });
  it('is not guessed when it is broken', async () => {
    const { store, write } = await writable();
    await write('config.yaml', 'a: [\n');
    expect(await store.config.patch({ b: 1 }, fine)).toEqual({
      kind: 'failed',
      text: 'config.yaml cannot be written: the file is not a YAML mapping; fix it by hand first',
    });
  });
});

it('reads every change by other processes on a refresh', async () => {
  const { store, at } = await writable(HAND_WRITTEN);
  await mkdir(at('workflows'));
  await writeFile(at('mcpservers/b.yaml'), serverText('b'));
  await writeFile(at('config.yaml'), 'x: 1\n');
  await store.refresh();
  expect(commandsOf(store.current())).toEqual(['a=run', 'b=run']);
  expect(store.current().config?.value).toEqual({ x: 1 });
});
