import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pinned, type Pinned } from '../install/pinned.ts';
import { pythonPackages } from '../install/python-packages.ts';
import { stdio, type ServerUnderTest } from './server-under-test.ts';

const pythonServer = (name: string): Pinned =>
  pinned('PyPI', `mcp-server-${name}`, `pinned/python/server-${name}.txt`);

function createRepository(folder: string): string {
  const repository = join(folder, 'repository');
  mkdirSync(repository);
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', repository]);
  return repository;
}

/** Servers on PyPI. */
export const PYTHON_SERVERS: readonly ServerUnderTest[] = [
  {
    ...pythonServer('time'),
    id: 'time',
    transport: 'stdio',
    prepare: async () => ({
      spec: stdio(
        await pythonPackages('server-time'),
        ...['-m', 'mcp_server_time', '--local-timezone', 'UTC'],
      ),
      call: {
        tool: 'convert_time',
        arguments: { source_timezone: 'UTC', time: '12:00', target_timezone: 'Asia/Tokyo' },
        shows: 'T21:00:00',
      },
    }),
  },
  {
    ...pythonServer('git'),
    id: 'git',
    transport: 'stdio',
    prepare: async (folder) => {
      const repository = createRepository(folder);
      const args = ['-m', 'mcp_server_git', '--repository', repository];
      return {
        spec: stdio(await pythonPackages('server-git'), ...args),
        call: { tool: 'git_status', arguments: { repo_path: repository }, shows: 'On branch main' },
      };
    },
  },
  {
    ...pythonServer('fetch'),
    id: 'fetch',
    transport: 'stdio',
    has: ['prompts'],
    prepare: async () => {
      const args = ['-m', 'mcp_server_fetch', '--ignore-robots-txt', '--allow-private-ips'];
      return {
        spec: stdio(await pythonPackages('server-fetch'), ...args),
        // Nothing listens there: the answer is the server's own.
        call: { tool: 'fetch', arguments: { url: 'http://127.0.0.1:9/' }, shows: '127.0.0.1:9' },
      };
    },
  },
  {
    ...pythonServer('sqlite'),
    id: 'sqlite',
    transport: 'stdio',
    has: ['prompts', 'resources'],
    prepare: async (folder) => {
      const command = join(await pythonPackages('server-sqlite'), '../mcp-server-sqlite');
      return {
        spec: stdio(command, '--db-path', join(folder, 'sample.db')),
        call: { tool: 'read_query', arguments: { query: 'SELECT 2 + 3 AS sum' }, shows: '5' },
      };
    },
  },
  {
    ...pythonServer('calculator'),
    id: 'calculator',
    transport: 'stdio',
    prepare: async () => ({
      spec: stdio(await pythonPackages('server-calculator'), '-m', 'mcp_server_calculator'),
      call: { tool: 'calculate', arguments: { expression: '2 + 3' }, shows: '5' },
    }),
  },
];
