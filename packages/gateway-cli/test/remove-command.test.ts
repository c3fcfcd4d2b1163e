import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createTestConfigDirectory } from '@gateway/repo-checks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

let directory: ReturnType<typeof createTestConfigDirectory>;

beforeEach(() => {
  directory = createTestConfigDirectory();
});

afterEach(() => {
  directory.remove();
});

const loadServers = (verb: string, name: string, ...args: readonly string[]) =>
  runCommand(['servers', verb, name, '--config-dir', directory.path, ...args]);

const addWithKey = (name = 'a') => loadServers('add', name, '--env', 'API_KEY=abc', '--', 'x');

const has = (path: string): boolean => existsSync(join(directory.path, path));

const server = (name: string, spec: string): void => {
  directory.write(
    `mcpservers/${name}.yaml`,
    `apiVersion: gateway.internal/v1alpha1\nkind: MCPServer\nmetadata:\n  name: ${name}\nspec:\n  type: stdio\n  command: x\n${spec}`,
  );
};

describe('gateway servers remove', () => {
  it('deletes the file, and names the secrets that stay and the command that deletes them', async () => {
    await loadServers('add', 'a', '--env', 'API_KEY=abc', '--env', 'TOKEN=def', '--', 'x');
    expect(await loadServers('remove', 'a')).toEqual({
      code: 0,
      stdout: 'deleted mcpservers/a.yaml\n',
      stderr: `Its secrets stay:
  secrets/a/API_KEY
  secrets/a/TOKEN
This command deletes those that no other file uses:
  gateway servers remove a --config-dir ${directory.path} --delete-secrets
`,
    });
    expect(await loadServers('remove', 'a')).toMatchObject({
      code: 2,
      stderr: 'gateway: the directory has no server "a"\n',
    });
    expect(await loadServers('remove', 'a', '--delete-secrets')).toEqual({
      code: 0,
      stdout: 'deleted secrets/a/API_KEY\ndeleted secrets/a/TOKEN\n',
      stderr: '',
    });
    expect(has('secrets/a')).toBe(false);
    expect(await loadServers('remove', 'a', '--delete-secrets')).toMatchObject({ code: 2 });
  });

  it('says nothing about secrets where there are none', async () => {
    await loadServers('add', 'a', '--', 'x');
    expect(await loadServers('remove', 'a')).toMatchObject({ code: 0, stderr: '' });
    await loadServers('add', 'a', '--', 'x');
    expect(await loadServers('remove', 'a', '--delete-secrets')).toEqual({
      code: 0,
      stdout: 'deleted mcpservers/a.yaml\n',
      stderr: '',
    });
  });
});

describe('gateway servers remove --delete-secrets', () => {
  it('deletes the secrets of the server and those of no other', async () => {
    await addWithKey();
    await addWithKey('b');
    expect(await loadServers('remove', 'a', '--delete-secrets')).toEqual({
      code: 0,
      stdout: 'deleted mcpservers/a.yaml\ndeleted secrets/a/API_KEY\n',
      stderr: '',
    });
    expect(has('secrets/a')).toBe(false);
    expect(readFileSync(join(directory.path, 'secrets/b/API_KEY'), 'utf8')).toBe('abc');
  });

  it.each([
    [
      'a reference',
      '  envFrom:\n    - name: K\n      secretKeyRef: { name: a, key: API_KEY }\n',
      true,
    ],
    [
      'a reference to another key',
      '  envFrom:\n    - name: K\n      secretKeyRef: { name: a, key: OTHER }\n',
      false,
    ],
    [
      'a reference to another Secret',
      '  envFrom:\n    - name: a\n      secretKeyRef: { name: c, key: API_KEY }\n',
      false,
    ],
    ['a Secret of a client', '  auth:\n    clientCredentialsSecretRef: { name: a }\n', true],
    ['a placeholder', "  env:\n    K: '${file:secrets/a/API_KEY}'\n", true],
    ['a placeholder written otherwise', "  env:\n    K: '${file:./secrets/./a//API_KEY}'\n", true],
    [
      'a placeholder through its own folder',
      "  env:\n    K: '${file:secrets/a/../a/API_KEY}'\n",
      true,
    ],
    [
      'a placeholder through another folder',
      "  env:\n    K: '${file:secrets/b/../a/API_KEY}'\n",
      true,
    ],
    ['a placeholder of a longer name', "  env:\n    K: '${file:secrets/a/API_KEY-2}'\n", false],
    ['a path among arguments', '  args: [--key=/srv/secrets/a/API_KEY]\n', true],
    ['its folder', '  cwd: secrets/a/\n', true],
    ['another folder', '  cwd: secrets/ab\n', false],
    ['a text that is not YAML', '  env: [\n', true],
  ])('with another server that has %s', async (what, spec, isKept) => {
    await addWithKey();
    mkdirSync(join(directory.path, 'secrets/b'));
    server('b', spec);
    const { stderr, stdout } = await loadServers('remove', 'a', '--delete-secrets');
    const use = what.startsWith('a text') ? 'cannot be read and may use it' : 'uses it';
    expect(stderr).toBe(isKept ? `secrets/a/API_KEY stays: mcpservers/b.yaml ${use}\n` : '');
    expect(stdout.includes('deleted secrets/a/API_KEY\n')).toBe(!isKept);
    expect(has('secrets/a/API_KEY')).toBe(isKept);
    expect(has('mcpservers/a.yaml')).toBe(false);
  });

  it('keeps a file while config.yaml uses it', async () => {
    await addWithKey();
    directory.write('config.yaml', 'state:\n  keyFile: secrets/a/API_KEY\n');
    expect(await loadServers('remove', 'a', '--delete-secrets')).toMatchObject({
      stderr: 'secrets/a/API_KEY stays: config.yaml uses it\n',
    });
    expect(has('secrets/a/API_KEY')).toBe(true);
    directory.write('config.yaml', '{}\n');
    expect(await loadServers('remove', 'a', '--delete-secrets')).toMatchObject({
      code: 0,
      stdout: 'deleted secrets/a/API_KEY\n',
      stderr: '',
    });
    expect(has('secrets/a')).toBe(false);
  });

  it.each([
    [
      'a reference',
      '  envFrom:\n    - name: K\n      secretKeyRef: { name: b, key: LINK }\n',
      true,
    ],
    ['a Secret of a client', '  auth:\n    clientCredentialsSecretRef: { name: b }\n', true],
    ['a placeholder', "  env:\n    K: '${file:secrets/b/LINK}'\n", true],
    ['a placeholder outside of secrets', "  env:\n    K: '${file:others/API_KEY}'\n", true],
    [
      'a reference to another file',
      '  envFrom:\n    - name: K\n      secretKeyRef: { name: b, key: OTHER }\n',
      false,
    ],
  ])('with a link that another server uses as %s', async (_what, spec, isKept) => {
    await addWithKey();
    mkdirSync(join(directory.path, 'secrets/b'));
    symlinkSync('../a/API_KEY', join(directory.path, 'secrets/b/LINK'));
    symlinkSync('secrets/a', join(directory.path, 'others'));
    server('b', spec);
    await loadServers('remove', 'a', '--delete-secrets');
    expect(has('secrets/a/API_KEY')).toBe(isKept);
  });

  it('keeps a file that another server uses through a link to the folder', async () => {
    await addWithKey();
    symlinkSync('a', join(directory.path, 'secrets/b'));
    server('b', '  envFrom:\n    - name: K\n      secretKeyRef: { name: b, key: API_KEY }\n');
    expect(await loadServers('remove', 'a', '--delete-secrets')).toMatchObject({
      stderr: 'secrets/a/API_KEY stays: mcpservers/b.yaml uses it\n',
    });
    expect(has('secrets/b/API_KEY')).toBe(true);
  });

  it('deletes nothing outside of the configuration directory, and no folders', async () => {
    const outside = createTestConfigDirectory();
    outside.write('KEY', 'theirs');
    await loadServers('add', 'a', '--', 'x');
    mkdirSync(join(directory.path, 'secrets'));
    symlinkSync(outside.path, join(directory.path, 'secrets/a'));
    expect(await loadServers('remove', 'a', '--delete-secrets')).toMatchObject({
      code: 2,
      stderr:
        'gateway: secrets/a leads out of the configuration directory: replace the link by a directory\n',
    });
    expect(has('mcpservers/a.yaml')).toBe(true);
    expect(has('secrets/a/KEY')).toBe(true);
    outside.remove();
    await addWithKey('b');
    mkdirSync(join(directory.path, 'secrets/b/more'));
    await loadServers('remove', 'b', '--delete-secrets');
    expect([has('secrets/b/API_KEY'), has('secrets/b/more')]).toEqual([false, true]);
    expect(await loadServers('remove', '..', '--delete-secrets')).toMatchObject({ code: 2 });
  });
});
