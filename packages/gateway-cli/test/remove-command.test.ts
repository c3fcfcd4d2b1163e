import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failure, runCommand } from './run-command.ts';
import { useDirectory } from './use-directory.ts';

const directory = useDirectory();
const { has, link, mkdir, read, write } = directory;

const servers = (verb: string, name: string, ...args: readonly string[]) =>
  runCommand(['servers', verb, name, '--config-dir', directory.path, ...args]);
const addWithKey = (name = 'a') => servers('add', name, '--env', 'API_KEY=abc', '--', 'x');
const remove = (name = 'a') => servers('remove', name);
const removed = (stdout: string, stderr = '') => ({ code: 0, stdout, stderr });

const KEY = 'secrets/a/API_KEY';
/** Writes the server `b` with these fields of its `spec`. */
const writeOther = (...fields: readonly string[]) =>
  write(
    'mcpservers/b.yaml',
    `apiVersion: gateway.internal/v1alpha1\nkind: MCPServer\nmetadata:\n  name: b\nspec:\n  type: stdio\n  command: x\n${fields.map((field) => `  ${field}\n`).join('')}`,
  );
const reference = (name: string, key: string) =>
  `envFrom: [{ name: K, secretKeyRef: { name: ${name}, key: ${key} } }]`;
const client = (name: string) => `auth: { clientCredentialsSecretRef: { name: ${name} } }`;
const placeholder = (path: string) => `env: { K: '\${file:${path}}' }`;

describe('gateway servers remove', () => {
  it('deletes the file and the secrets of the server, once', async () => {
    await servers('add', 'a', '--env', 'API_KEY=abc', '--env', 'TOKEN=def', '--', 'x');
    expect(await remove()).toEqual(
      removed('deleted mcpservers/a.yaml\ndeleted secrets/a/API_KEY\ndeleted secrets/a/TOKEN\n'),
    );
    expect(has('secrets/a')).toBe(false);
    const stderr = 'gateway: the directory has no server "a"\n';
    expect(await remove()).toMatchObject({ code: 2, stderr });
  });

  it('says nothing about secrets where there are none', async () => {
    await servers('add', 'a', '--', 'x');
    expect(await remove()).toEqual(removed('deleted mcpservers/a.yaml\n'));
  });
});

describe('the secrets of a server that is removed', () => {
  it('are deleted without those of another server', async () => {
    await addWithKey();
    await addWithKey('b');
    expect(await remove()).toEqual(
      removed('deleted mcpservers/a.yaml\ndeleted secrets/a/API_KEY\n'),
    );
    expect(has('secrets/a')).toBe(false);
    expect(read('secrets/b/API_KEY')).toBe('abc');
  });

  it.each([
    ['a reference', reference('a', 'API_KEY'), true],
    ['a reference to another key', reference('a', 'OTHER'), false],
    ['a reference to another Secret', reference('c', 'API_KEY').replace('K', 'a'), false],
    ['a Secret of a client', client('a'), true],
    ['a placeholder', placeholder(KEY), true],
    ['a placeholder written otherwise', placeholder('./secrets/./a//API_KEY'), true],
    ['a placeholder through its own folder', placeholder('secrets/a/../a/API_KEY'), true],
    ['a placeholder through another folder', placeholder('secrets/b/../a/API_KEY'), true],
    ['a placeholder of a longer name', placeholder('secrets/a/API_KEY-2'), false],
    ['a path among arguments', 'args: [--key=/srv/secrets/a/API_KEY]', true],
    ['its folder', 'cwd: secrets/a/', true],
    ['another folder', 'cwd: secrets/ab', false],
    ['a text that is not YAML', 'env: [', true],
  ])('with another server that has %s', async (what, field, isKept) => {
    await addWithKey();
    mkdir('secrets/b');
    writeOther(field);
    const { stderr, stdout } = await remove();
    const use = what.startsWith('a text') ? 'cannot be read and may use it' : 'uses it';
    expect(stderr).toBe(isKept ? `${KEY} stays: mcpservers/b.yaml ${use}\n` : '');
    expect(stdout.includes(`deleted ${KEY}\n`)).toBe(!isKept);
    expect([has(KEY), has('mcpservers/a.yaml')]).toEqual([isKept, false]);
  });

  it('stay while config.yaml uses them', async () => {
    await addWithKey();
    write('config.yaml', `state:\n  keyFile: ${KEY}\n`);
    const kept = await remove();
    expect(kept.stderr).toBe(`${KEY} stays: config.yaml uses it\n`);
    expect(has(KEY)).toBe(true);
  });

  it.each([
    ['a reference', reference('b', 'LINK'), true],
    ['a Secret of a client', client('b'), true],
    ['a placeholder', placeholder('secrets/b/LINK'), true],
    ['a placeholder outside of secrets', placeholder('others/API_KEY'), true],
    ['a reference to another file', reference('b', 'OTHER'), false],
  ])('with a link that another server uses as %s', async (_what, field, isKept) => {
    await addWithKey();
    link('secrets/b/LINK', '../a/API_KEY');
    link('others', 'secrets/a');
    writeOther(field);
    await remove();
    expect(has(KEY)).toBe(isKept);
  });

  it('stay when another server uses them through a link to the folder', async () => {
    await addWithKey();
    link('secrets/b', 'a');
    writeOther(reference('b', 'API_KEY'));
    const { stderr } = await remove();
    expect(stderr).toBe(`${KEY} stays: mcpservers/b.yaml uses it\n`);
    expect(has('secrets/b/API_KEY')).toBe(true);
  });

  it('stay outside of the configuration directory, and so do folders', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'gateway-outside-'));
    onTestFinished(() => rmSync(outside, { recursive: true }));
    writeFileSync(join(outside, 'KEY'), 'theirs');
    await servers('add', 'a', '--', 'x');
    link('secrets/a', outside);
    const reason =
      'mcpservers/a is deleted, but not its secrets: secrets/a leads out of the configuration directory: replace the link by a directory';
    expect(await remove()).toMatchObject(failure(`gateway: ${reason}\n`, 1));
    expect(has('mcpservers/a.yaml')).toBe(false);
    expect(readFileSync(join(outside, 'KEY'), 'utf8')).toBe('theirs');
    await addWithKey('b');
    mkdir('secrets/b/more');
    await remove('b');
    expect([has('secrets/b/API_KEY'), has('secrets/b/more')]).toEqual([false, true]);
    expect(await remove('..')).toMatchObject({ code: 2 });
  });
});
