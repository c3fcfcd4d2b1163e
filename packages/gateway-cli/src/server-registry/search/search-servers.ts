import type { RegistryServer } from '../format/parse-registry.ts';
import { chooseVersion } from './choose-version.ts';

const MAX_WORDS = 20;

/** Returns the words that a query requires, in lower case. */
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
