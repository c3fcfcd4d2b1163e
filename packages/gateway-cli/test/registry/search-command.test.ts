import { describe, expect, it } from 'vitest';
import { failure, runCommand } from '../run-command.ts';
import { useDirectory } from '../use-directory.ts';
import { startRegistry } from './registry-server.ts';
import { BUNDLE, NOTES, WEATHER } from './sample-servers.ts';

const root = useDirectory();

const search = (registry: string, ...args: readonly string[]) =>
  runCommand(['servers', 'search', '--registry', registry, ...args]);

describe('gateway servers search in files', () => {
  it('prints name, version, how a server runs, and its title', async () => {
    const file = root.write('list.json', { servers: [WEATHER, NOTES, BUNDLE] });
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
    const file = root.write('one.json', BUNDLE.server);
    const reason = 'packages of the type mcpb are not supported; npm, pypi and oci are';
    const { stdout } = await search(file, '--output', 'json');
    expect(JSON.parse(stdout)).toEqual([
      {
        name: 'com.example/bundle',
        version: '1.0.0',
        description: 'A bundle',
        status: 'active',
        registry: file,
        runs: [],
        notSupported: [{ kind: 'mcpb', reason }],
      },
    ]);
  });

  it('reports entries that are not valid, and control characters do not reach the terminal', async () => {
    const evil = { server: { ...NOTES.server, title: 'A\u001B[2J\nB' } };
    const file = root.write('evil.json', { servers: [evil, { server: { name: 'x/\u001B[2J' } }] });
    const run = await search(file);
    expect(run).toMatchObject(failure('is left out: name must be a namespace and a name', 0));
    expect(run.stdout + run.stderr).not.toContain('\u001B');
    expect(run.stdout.split('\n')).toHaveLength(3);
  });

  it.each([
    ['absent.json', undefined, 'does not exist'],
    ['text.json', 'hello', 'is not a registry: must be a JSON object'],
    ['bad.json', { name: 'a/b', version: 1 }, 'is not a registry: version must be a text'],
  ])('refuses %s', async (name, value, problem) => {
    const file = value === undefined ? root.resolve(name) : root.write(name, value);
    const stderr = `gateway: ${file} ${problem}\n`;
    expect(await search(file)).toEqual({ code: 1, stdout: '', stderr });
  });

  it('reads nothing that is not named, and takes registries from config.yaml', async () => {
    expect(await runCommand(['servers', 'search'])).toMatchObject(
      failure('no registry is named: use --registry'),
    );
    root.write('named.json', NOTES);
    root.write('config.yaml', 'servers:\n  registries: [named.json]\n');
    const configured = await runCommand(['servers', 'search', '--config-dir', root.path]);
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
    const first = '/v0.1/servers?version=latest&limit=100&search=notes';
    expect(registry.requests).toEqual([first, `${first}&cursor=a+b%2Fc`]);
  });

  it('reads a file by its URL, and shows the registry of each server when there are several', async () => {
    await using registry = await startRegistry(() => ({ body: NOTES }));
    const file = root.write('weather.json', WEATHER);
    const url = `${registry.url}/files/notes.json`;
    const { stdout } = await search(url, '--registry', file);
    expect(stdout).toContain(url);
    expect(stdout).toContain(file);
    expect(registry.requests).toEqual(['/files/notes.json']);
  });

  const listWithCursor = (nextCursor: string) => ({ servers: [], metadata: { nextCursor } });

  it('reads a bounded number of pages, and says that there are more', async () => {
    let page = 0;
    await using registry = await startRegistry(() => ({
      body: listWithCursor(String((page += 1))),
    }));
    expect(await search(`${registry.url}/v0/servers`)).toMatchObject({
      code: 0,
      stderr: `${registry.url}/v0/servers has further servers that were not read: search for more words\n`,
    });
    expect(registry.requests).toHaveLength(20);
  });

  const redirect = { status: 302, headers: { location: 'http://127.0.0.1:1/' } };
  it.each([
    ['the same cursor again', { body: listWithCursor('x') }, 'returns the same page again'],
    ['an error', { status: 500 }, 'cannot be read: the response has the status 500'],
    ['a redirect', redirect, 'cannot be read: the response is a redirect, which is not followed'],
    [
      'too many bytes',
      { body: 'x'.repeat(8_000_001) },
      'cannot be read: the response is larger than 8000000 bytes',
    ],
    ['no list', { status: 404 }, 'is not a registry: it has no list of servers'],
    ['a page of HTML', { body: '<html>' }, 'is not a registry: must be a JSON object'],
  ])('refuses %s', async (_title, answer, problem) => {
    await using registry = await startRegistry(() => answer);
    const stderr = `gateway: ${registry.url}/ ${problem}\n`;
    expect(await search(registry.url)).toMatchObject({ code: 1, stderr });
  });

  it('sends nothing over http to another machine', async () => {
    const run = await search('http://192.0.2.1/');
    expect(run).toMatchObject(failure('http://192.0.2.1/ cannot be read: ', 1));
  });
});
