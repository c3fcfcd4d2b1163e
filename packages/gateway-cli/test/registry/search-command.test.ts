import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';
import { startRegistry } from './registry-server.ts';
import { BUNDLE, NOTES, WEATHER } from './sample-servers.ts';

let root = '';

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gateway-search-'));
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

const resolveFile = (name: string, value: unknown): string => {
  const path = join(root, name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
};

const search = (registry: string, ...args: readonly string[]) =>
  runCommand(['servers', 'search', '--registry', registry, ...args]);

describe('gateway servers search in files', () => {
  it('prints name, version, how a server runs, and its title', async () => {
    const file = resolveFile('list.json', { servers: [WEATHER, NOTES, BUNDLE] });
    expect(await search(file)).toEqual({
      code: 0,
      stdout: `NAME                    VERSION  RUNS                  TITLE
io.github.acme/weather  1.2.0    npm                   Weather
com.example/notes       2.0.0    streamable-http       Notes of a team
com.example/bundle      1.0.0    not supported (mcpb)  A bundle
`,
      stderr: '',
    });
    expect((await search(file, 'TOWNS', 'weather')).stdout).toContain('io.github.acme/weather');
    expect((await search(file, 'towns', 'notes')).stdout).toBe('no servers\n');
  });

  it('prints one JSON document', async () => {
    const file = resolveFile('one.json', BUNDLE.server);
    const { stdout } = await search(file, '--output', 'json');
    expect(JSON.parse(stdout)).toEqual([
      {
        name: 'com.example/bundle',
        version: '1.0.0',
        description: 'A bundle',
        status: 'active',
        registry: file,
        runs: [],
        notSupported: [
          {
            kind: 'mcpb',
            reason: 'packages of the type mcpb are not supported; npm, pypi and oci are',
          },
        ],
      },
    ]);
  });

  it('reports entries that are not valid, and control characters do not reach the terminal', async () => {
    const evil = { server: { ...NOTES.server, title: 'A\u001B[2J\nB' } };
    const file = resolveFile('evil.json', { servers: [evil, { server: { name: 'x/\u001B[2J' } }] });
    const { code, stdout, stderr } = await search(file);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('is left out: name must be a namespace and a name'),
    });
    expect(stdout + stderr).not.toContain('\u001B');
    expect(stdout.split('\n')).toHaveLength(3);
  });

  it.each([
    ['absent.json', undefined, 'does not exist'],
    ['text.json', 'hello', 'is not a registry: must be a JSON object'],
    ['bad.json', { name: 'a/b', version: 1 }, 'is not a registry: version must be a text'],
  ])('refuses %s', async (name, value, problem) => {
    const file = value === undefined ? join(root, name) : resolveFile(name, value);
    expect(await search(file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `gateway: ${file} ${problem}\n`,
    });
  });

  it('reads nothing that is not named, and takes registries from config.yaml', async () => {
    const { code, stderr } = await runCommand(['servers', 'search']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('no registry is named: use --registry'),
    });
    resolveFile('named.json', NOTES);
    resolveFile('config.yaml', 'servers:\n  registries: [named.json]\n');
    const configured = await runCommand(['servers', 'search', '--config-dir', root]);
    expect(configured.stdout).toContain('com.example/notes');
  });
});

describe('gateway servers search over HTTP', () => {
  it('follows the pages of a registry and sends it one word', async () => {
    await using registry = await startRegistry((url) =>
      url.searchParams.has('cursor')
        ? { body: { servers: [NOTES] } }
        : { body: { servers: [WEATHER], metadata: { nextCursor: 'a b/c' } } },
    );
    const { stdout } = await search(registry.url, 'of', 'notes');
    expect(stdout).toContain('com.example/notes');
    expect(stdout).not.toContain('weather');
    expect(registry.requests).toEqual([
      '/v0.1/servers?version=latest&limit=100&search=notes',
      '/v0.1/servers?version=latest&limit=100&search=notes&cursor=a+b%2Fc',
    ]);
  });

  it('reads a file by its URL, and shows the registry of each server when there are several', async () => {
    await using registry = await startRegistry(() => ({ body: NOTES }));
    const file = resolveFile('weather.json', WEATHER);
    const url = `${registry.url}/files/notes.json`;
    const { stdout } = await search(url, '--registry', file);
    expect(stdout).toContain(url);
    expect(stdout).toContain(file);
    expect(registry.requests).toEqual(['/files/notes.json']);
  });

  it('reads a bounded number of pages, and says that there are more', async () => {
    let page = 0;
    await using registry = await startRegistry(() => {
      page += 1;
      return { body: { servers: [], metadata: { nextCursor: String(page) } } };
    });
    const { code, stderr } = await search(`${registry.url}/v0/servers`);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `${registry.url}/v0/servers has further servers that were not read: search for more words\n`,
    });
    expect(registry.requests).toHaveLength(20);
  });

  it.each([
    [
      'the same cursor again',
      { body: { servers: [], metadata: { nextCursor: 'x' } } },
      'returns the same page again',
    ],
    ['an error', { status: 500 }, 'cannot be read: the response has the status 500'],
    [
      'a redirect',
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      'cannot be read: the response is a redirect, which is not followed',
    ],
    [
      'too many bytes',
      { body: 'x'.repeat(8_000_001) },
      'cannot be read: the response is larger than 8000000 bytes',
    ],
    ['no list', { status: 404 }, 'is not a registry: it has no list of servers'],
    ['a page of HTML', { body: '<html>' }, 'is not a registry: must be a JSON object'],
  ])('refuses %s', async (_title, answer, problem) => {
    await using registry = await startRegistry(() => answer);
    const { code, stderr } = await search(registry.url);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `gateway: ${registry.url}/ ${problem}\n`,
    });
  });

  it('sends nothing over http to another machine', async () => {
    const { code, stderr } = await search('http://192.0.2.1/');
    expect(code).toBe(1);
    expect(stderr).toContain('http://192.0.2.1/ cannot be read: ');
  });
});
