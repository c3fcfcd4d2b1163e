import { CLIENTS, type ClientUnderTest } from './clients.ts';
import { nodePackages, pythonPackages } from './packages.ts';
import { SERVERS, type ServerUnderTest } from './servers.ts';

/** The clients on npm, and those on PyPI that have an implementation of the protocol of their own. All install in seconds. */
const QUICK_CLIENTS = {
  npm: ['typescript', 'inspector', 'mcp-remote', 'supergateway', 'bridge-2025'],
  pypi: ['python-1', 'python-2', 'fastmcp-4'],
} as const;
/** The servers of the tests. `everything` is behind each of them. */
const QUICK_SERVERS = {
  npm: ['everything', 'everything-http', 'filesystem', 'memory', 'sequential-thinking'],
  pypi: ['everything', 'memory', 'time', 'git'],
} as const;

/**
 * The features that the long tests run with clients that start a process for each connection or request. `npm run compat` runs all of them.
 */
const QUICK_FEATURES = ['initialize', 'call', 'toolset', 'cancel', 'elicitation', 'native'];
const STARTS_PROCESSES: readonly string[] = [
  'inspector',
  'mcp-remote',
  'supergateway',
  'bridge-2025',
];

/** Returns true when the long tests run a feature with a client. */
export const isQuick = (client: string, feature: string): boolean =>
  !STARTS_PROCESSES.includes(client) || QUICK_FEATURES.includes(feature);

/** A registry of which long tests install clients. */
export type QuickRegistry = keyof typeof QUICK_CLIENTS;

const selected = <T extends { readonly id: string }>(
  all: readonly T[],
  ids: readonly string[],
): readonly T[] => all.filter(({ id }) => ids.includes(id));

/** Returns the clients of the long tests. */
export const quickClients = (registry: QuickRegistry): readonly ClientUnderTest[] =>
  selected(CLIENTS, QUICK_CLIENTS[registry]);

/** Returns the servers of the long tests. */
export const quickServers = (registry: QuickRegistry): readonly ServerUnderTest[] =>
  selected(SERVERS, QUICK_SERVERS[registry]);

const prepareClients = async (registry: QuickRegistry): Promise<void> => {
  for (const client of quickClients(registry)) await client.prepare();
};

/** Makes ready what the long tests install, by the name that test files have in their file names. */
export const PEERS = {
  npm: async (): Promise<void> => {
    await nodePackages('servers');
    await prepareClients('npm');
  },
  pypi: async (): Promise<void> => {
    await nodePackages('servers');
    for (const name of ['server-time', 'server-git']) await pythonPackages(name);
    await prepareClients('pypi');
  },
};
