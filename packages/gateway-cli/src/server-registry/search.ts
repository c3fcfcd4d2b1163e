import { coerce, parse, type SemVer } from 'semver';
import type { RegistryServer } from './format.ts';

/** A registry accepts any text as a version: `1.0`, `v2`. */
const readVersion = (text: string): SemVer | null =>
  parse(text, { loose: true }) ?? coerce(text, { includePrerelease: true });

/** Compares two versions as Semantic Versioning does, negative when the first one is older. Texts without a number are older than versions. */
const compareVersions = (one: string, other: string): number => {
  const [left, right] = [readVersion(one), readVersion(other)];
  return left === null || right === null
    ? Number(left !== null) - Number(right !== null)
    : left.compare(right);
};

/**
 * Returns the version of a server to use: the given one, otherwise the version that the registry marks as the latest, otherwise the newest that
 * is not deleted. Returns `undefined` when there is none.
 */
export const chooseVersion = (
  servers: readonly RegistryServer[],
  version?: string,
): RegistryServer | undefined => {
  if (version !== undefined) return servers.find((server) => server.version === version);
  const present = servers.filter(({ status }) => status !== 'deleted');
  return (
    present.find(({ isLatest }) => isLatest) ??
    present.toSorted((one, other) => compareVersions(other.version, one.version))[0]
  );
};

const MAX_WORDS = 20;

export const queryWords = (query: string): readonly string[] =>
  query
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);

const hasWords = ({ name, title, description }: RegistryServer, words: readonly string[]) => {
  const text = [name, title ?? '', description].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
};

/**
 * Returns the servers whose names, titles and descriptions contain all words of a query, one version of each, in the order of the registry.
 * Deleted servers are left out.
 */
export const searchServers = (
  servers: readonly RegistryServer[],
  query: string,
): readonly RegistryServer[] => {
  const words = queryWords(query);
  const byName = new Map<string, RegistryServer[]>();
  for (const server of servers)
    if (byName.get(server.name)?.push(server) === undefined) byName.set(server.name, [server]);
  return [...byName.values()].flatMap((versions) => {
    const server = chooseVersion(versions);
    return server !== undefined && hasWords(server, words) ? [server] : [];
  });
};
