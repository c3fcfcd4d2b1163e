import { describe, expect, it } from 'vitest';
import { parseRegistry, type RegistryServer } from '../../src/server-registry/format.ts';
import { chooseVersion } from '../../src/server-registry/search.ts';
import { searchServers } from '../../src/server-registry/search.ts';

interface Entry {
  readonly name: string;
  readonly version?: string;
  readonly title?: string;
  readonly description?: string;
  readonly official?: object;
}

const serversOf = (...entries: readonly Entry[]): readonly RegistryServer[] => {
  const servers = entries.map(({ official, ...server }) => ({
    server: { version: '1.0.0', ...server },
    _meta: { 'io.modelcontextprotocol.registry/official': official },
  }));
  const parsed = parseRegistry(JSON.stringify({ servers }));
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.document.servers;
};

const listNames = (servers: readonly RegistryServer[]) =>
  servers.map(({ name, version }) => `${name} ${version}`);

describe('a search', () => {
  const servers = serversOf(
    { name: 'io.acme/files', description: 'Reads a file system' },
    { name: 'io.acme/weather', title: 'Forecasts of the Sky' },
    { name: 'io.acme/old', description: 'sky', official: { status: 'deleted' } },
  );

  it.each([
    ['FILES', ['io.acme/files 1.0.0']],
    ['sky  forecasts', ['io.acme/weather 1.0.0']],
    ['system acme', ['io.acme/files 1.0.0']],
    ['sky system', []],
    ['', ['io.acme/files 1.0.0', 'io.acme/weather 1.0.0']],
  ])('%s', (query, found) => {
    expect(listNames(searchServers(servers, query))).toEqual(found);
  });

  it('shows one version of a server', () => {
    const versions = serversOf(
      { name: 'a/b', version: '1.9.0' },
      { name: 'a/c' },
      { name: 'a/b', version: '1.10.0' },
    );
    expect(listNames(searchServers(versions, ''))).toEqual(['a/b 1.10.0', 'a/c 1.0.0']);
  });
});

describe('the version of a server', () => {
  it('is the one that the registry marks', () => {
    const servers = serversOf(
      { name: 'a/b', version: '2.0.0-rc.1' },
      { name: 'a/b', version: '1.0.0', official: { isLatest: true } },
    );
    expect(chooseVersion(servers)?.version).toBe('1.0.0');
    expect(chooseVersion(servers, '2.0.0-rc.1')?.version).toBe('2.0.0-rc.1');
    expect(chooseVersion(servers, '3.0.0')).toBeUndefined();
  });

  it.each([
    ['1.0.0', '1.0.1'],
    ['1.9.0', '1.10.0'],
    ['1.0.0-rc.1', '1.0.0'],
    ['1.0.0-rc.2', '1.0.0-rc.10'],
    ['1.0.0-1', '1.0.0-alpha'],
    ['1.0.0-alpha', '1.0.0-alpha.1'],
    ['1.0', '1.0.1'],
    ['v1.0.0', '1.1.0'],
    ['1.0.0', '2025.1.2'],
    ['2025.01.02', '2025.1.10'],
    ['main', '0.0.1'],
  ])('is not %s, which is older than %s', (older, newer) => {
    const servers = serversOf({ name: 'a/b', version: older }, { name: 'a/b', version: newer });
    expect(chooseVersion(servers)?.version).toBe(newer);
    expect(chooseVersion(servers.toReversed())?.version).toBe(newer);
  });

  it.each([
    ['1.0.0+a', '1.0.0+b'],
    ['1.0', '1.0.0'],
    ['main', 'latest'],
  ])('is the first of %s and %s, which are equal', (first, second) => {
    const servers = serversOf({ name: 'a/b', version: first }, { name: 'a/b', version: second });
    expect(chooseVersion(servers)?.version).toBe(first);
  });
});
