import { CLIENTS, type ClientUnderTest } from './clients.ts';
import { installNodePackages, installPythonPackages } from './packages.ts';
import { SERVERS, type ServerUnderTest } from './servers.ts';

const QUICK_CLIENTS = {
  npm: ['typescript', 'inspector', 'mcp-remote', 'supergateway', 'bridge-2025'],
  pypi: ['python-1', 'python-2', 'fastmcp-4'],
} as const;
const QUICK_SERVERS = {
  npm: ['everything', 'everything-http', 'filesystem', 'memory', 'sequential-thinking'],
  pypi: ['everything', 'memory', 'time', 'git'],
} as const;

/** The features that the long tests run with clients that start a process for each connection or request. `npm run compat` runs all of them. */
const QUICK_FEATURES = ['initialize', 'call', 'toolset', 'cancel', 'elicitation', 'native'];
const STARTS_PROCESSES: readonly string[] = [
  'inspector',
  'mcp-remote',
  'supergateway',
  'bridge-2025',
];

export const isQuick = (client: string, feature: string): boolean =>
  !STARTS_PROCESSES.includes(client) || QUICK_FEATURES.includes(feature);

export type QuickRegistry = keyof typeof QUICK_CLIENTS;

const selectItems = <T extends { readonly id: string }>(
  all: readonly T[],
  ids: readonly string[],
): readonly T[] => all.filter(({ id }) => ids.includes(id));

export const listQuickClients = (registry: QuickRegistry): readonly ClientUnderTest[] =>
  selectItems(CLIENTS, QUICK_CLIENTS[registry]);

export const listQuickServers = (registry: QuickRegistry): readonly ServerUnderTest[] =>
  selectItems(SERVERS, QUICK_SERVERS[registry]);

const prepareClients = async (registry: QuickRegistry): Promise<void> => {
  for (const client of listQuickClients(registry)) await client.prepare();
};

export const PEERS = {
  npm: async (): Promise<void> => {
    await installNodePackages('servers');
    await prepareClients('npm');
  },
  pypi: async (): Promise<void> => {
    await installNodePackages('servers');
    for (const name of ['server-time', 'server-git', 'hadolint']) await installPythonPackages(name);
    await prepareClients('pypi');
  },
};
