import { join } from 'node:path';
import process from 'node:process';
import { freePort } from '@gateway/test-peers';
import { nodePackages } from '../install/node-packages.ts';
import { pinned, type Pinned } from '../install/pinned.ts';
import { echo, stdio, TEXT, writeSample, type ServerUnderTest } from './server-under-test.ts';

/** Returns the main script of one of the servers that the official project publishes on npm. */
const nodeScript = async (name: string): Promise<string> =>
  join(await nodePackages('servers'), '@modelcontextprotocol', `server-${name}`, 'dist/index.js');

const nodeServer = (name: string): Pinned =>
  pinned('npm', `@modelcontextprotocol/server-${name}`, 'pinned/node/servers/package.json');

/** Servers on npm. */
export const NPM_SERVERS: readonly ServerUnderTest[] = [
  {
    ...nodeServer('everything'),
    id: 'everything',
    transport: 'stdio',
    has: ['prompts', 'resources'],
    prepare: async () => ({
      spec: stdio(process.execPath, await nodeScript('everything'), 'stdio'),
      call: echo,
    }),
  },
  {
    ...nodeServer('everything'),
    id: 'everything-http',
    transport: 'Streamable HTTP',
    has: ['prompts', 'resources'],
    prepare: async () => {
      const port = await freePort();
      const args = [await nodeScript('everything'), 'streamableHttp'];
      return {
        spec: { type: 'streamable-http', url: `http://127.0.0.1:${String(port)}/mcp` },
        call: echo,
        program: { args, env: { PORT: String(port) }, port },
      };
    },
  },
  {
    ...nodeServer('filesystem'),
    id: 'filesystem',
    transport: 'stdio',
    prepare: async (folder) => {
      const file = writeSample(folder);
      return {
        spec: stdio(process.execPath, await nodeScript('filesystem'), folder),
        call: { tool: 'read_text_file', arguments: { path: file }, shows: TEXT },
      };
    },
  },
  {
    ...nodeServer('memory'),
    id: 'memory',
    transport: 'stdio',
    prepare: async (folder) => ({
      spec: {
        ...stdio(process.execPath, await nodeScript('memory')),
        env: { MEMORY_FILE_PATH: join(folder, 'memory.json') },
      },
      call: { tool: 'read_graph', arguments: {}, shows: 'entities' },
    }),
  },
  {
    ...nodeServer('sequential-thinking'),
    id: 'sequential-thinking',
    transport: 'stdio',
    prepare: async () => ({
      spec: stdio(process.execPath, await nodeScript('sequential-thinking')),
      call: {
        tool: 'sequentialthinking',
        arguments: { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
        shows: 'thoughtNumber',
      },
    }),
  },
  {
    ...nodeServer('budget-allocator'),
    id: 'budget-allocator',
    transport: 'stdio',
    has: ['resources'],
    prepare: async () => ({
      spec: stdio(process.execPath, await nodeScript('budget-allocator'), '--stdio'),
      call: { tool: 'get-budget-data', arguments: {}, shows: 'Default Budget' },
    }),
  },
];
