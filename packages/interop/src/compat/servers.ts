import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  installCrate,
  goLibraryProgram,
  installNodePackages,
  type Pinned,
  readPin,
  installPythonPackages,
} from './packages.ts';
import process from 'node:process';
import { findFreePort } from '@gateway/test-peers';
import { execFileSync } from 'node:child_process';

export type ServerSpec = Readonly<Record<string, unknown>>;

export interface ServerUnderTest extends Pinned {
  readonly id: string;
  readonly transport: 'Streamable HTTP' | 'stdio';
  /** The server lists resources, or prompts. */
  readonly has?: readonly ('prompts' | 'resources')[];
  /** Installs the server, unless it is. @param folder an empty folder of its own */
  readonly prepare: (folder: string) => Promise<PreparedServer>;
}

export interface PreparedServer {
  readonly spec: ServerSpec;
  /** A call and a text in its answer. */
  readonly call: {
    readonly tool: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly shows: string;
  };
  /** A Node script that must run before the gateway, and the port on which it listens. */
  readonly program?: {
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly port: number;
  };
}

const TEXT = 'A file of the compatibility suite.';

const createStdioSpec = (command: string, ...args: readonly string[]): ServerSpec => ({
  type: 'stdio',
  command,
  args,
});

function writeSample(folder: string): string {
  const file = join(folder, 'sample.txt');
  writeFileSync(file, TEXT);
  return file;
}

const callEcho = { tool: 'echo', arguments: { message: 'hello' }, shows: 'Echo: hello' };

const resolveNodeScript = async (name: string): Promise<string> =>
  join(
    await installNodePackages('servers'),
    '@modelcontextprotocol',
    `server-${name}`,
    'dist/index.js',
  );

const readNodePin = (name: string): Pinned =>
  readPin('npm', `@modelcontextprotocol/server-${name}`, 'pinned/node/servers/package.json');

const NPM_SERVERS: readonly ServerUnderTest[] = [
  {
    ...readNodePin('everything'),
    id: 'everything',
    transport: 'stdio',
    has: ['prompts', 'resources'],
    prepare: async () => ({
      spec: createStdioSpec(process.execPath, await resolveNodeScript('everything'), 'stdio'),
      call: callEcho,
    }),
  },
  {
    ...readNodePin('everything'),
    id: 'everything-http',
    transport: 'Streamable HTTP',
    has: ['prompts', 'resources'],
    prepare: async () => {
      const port = await findFreePort();
      const args = [await resolveNodeScript('everything'), 'streamableHttp'];
      return {
        spec: { type: 'streamable-http', url: `http://127.0.0.1:${String(port)}/mcp` },
        call: callEcho,
        program: { args, env: { PORT: String(port) }, port },
      };
    },
  },
  {
    ...readNodePin('filesystem'),
    id: 'filesystem',
    transport: 'stdio',
    prepare: async (folder) => {
      const file = writeSample(folder);
      return {
        spec: createStdioSpec(process.execPath, await resolveNodeScript('filesystem'), folder),
        call: { tool: 'read_text_file', arguments: { path: file }, shows: TEXT },
      };
    },
  },
  {
    ...readNodePin('memory'),
    id: 'memory',
    transport: 'stdio',
    prepare: async (folder) => ({
      spec: {
        ...createStdioSpec(process.execPath, await resolveNodeScript('memory')),
        env: { MEMORY_FILE_PATH: join(folder, 'memory.json') },
      },
      call: { tool: 'read_graph', arguments: {}, shows: 'entities' },
    }),
  },
  {
    ...readNodePin('sequential-thinking'),
    id: 'sequential-thinking',
    transport: 'stdio',
    prepare: async () => ({
      spec: createStdioSpec(process.execPath, await resolveNodeScript('sequential-thinking')),
      call: {
        tool: 'sequentialthinking',
        arguments: { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
        shows: 'thoughtNumber',
      },
    }),
  },
  {
    ...readNodePin('budget-allocator'),
    id: 'budget-allocator',
    transport: 'stdio',
    has: ['resources'],
    prepare: async () => ({
      spec: createStdioSpec(
        process.execPath,
        await resolveNodeScript('budget-allocator'),
        '--stdio',
      ),
      call: { tool: 'get-budget-data', arguments: {}, shows: 'Default Budget' },
    }),
  },
];

const readPythonPin = (name: string): Pinned =>
  readPin('PyPI', `mcp-server-${name}`, `pinned/python/server-${name}.txt`);

function createRepository(folder: string): string {
  const repository = join(folder, 'repository');
  mkdirSync(repository);
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', repository]);
  return repository;
}

const PYTHON_SERVERS: readonly ServerUnderTest[] = [
  {
    ...readPythonPin('time'),
    id: 'time',
    transport: 'stdio',
    prepare: async () => ({
      spec: createStdioSpec(
        await installPythonPackages('server-time'),
        '-m',
        'mcp_server_time',
        '--local-timezone',
        'UTC',
      ),
      call: {
        tool: 'convert_time',
        arguments: { source_timezone: 'UTC', time: '12:00', target_timezone: 'Asia/Tokyo' },
        shows: 'T21:00:00',
      },
    }),
  },
  {
    ...readPythonPin('git'),
    id: 'git',
    transport: 'stdio',
    prepare: async (folder) => {
      const repository = createRepository(folder);
      const args = ['-m', 'mcp_server_git', '--repository', repository];
      return {
        spec: createStdioSpec(await installPythonPackages('server-git'), ...args),
        call: { tool: 'git_status', arguments: { repo_path: repository }, shows: 'On branch main' },
      };
    },
  },
  {
    ...readPythonPin('fetch'),
    id: 'fetch',
    transport: 'stdio',
    has: ['prompts'],
    prepare: async () => {
      const args = ['-m', 'mcp_server_fetch', '--ignore-robots-txt', '--allow-private-ips'];
      return {
        spec: createStdioSpec(await installPythonPackages('server-fetch'), ...args),
        // Nothing listens there: the answer is the server's own.
        call: { tool: 'fetch', arguments: { url: 'http://127.0.0.1:9/' }, shows: '127.0.0.1:9' },
      };
    },
  },
  {
    ...readPythonPin('sqlite'),
    id: 'sqlite',
    transport: 'stdio',
    has: ['prompts', 'resources'],
    prepare: async (folder) => {
      const command = join(await installPythonPackages('server-sqlite'), '../mcp-server-sqlite');
      return {
        spec: createStdioSpec(command, '--db-path', join(folder, 'sample.db')),
        call: { tool: 'read_query', arguments: { query: 'SELECT 2 + 3 AS sum' }, shows: '5' },
      };
    },
  },
  {
    ...readPythonPin('calculator'),
    id: 'calculator',
    transport: 'stdio',
    prepare: async () => ({
      spec: createStdioSpec(
        await installPythonPackages('server-calculator'),
        '-m',
        'mcp_server_calculator',
      ),
      call: { tool: 'calculate', arguments: { expression: '2 + 3' }, shows: '5' },
    }),
  },
];

const GO_SDK = 'github.com/modelcontextprotocol/go-sdk';
const MCP_GO = 'github.com/mark3labs/mcp-go';
const RUST_FILES = readPin('crates', 'rust-mcp-filesystem', 'pinned/crates/servers.txt');

const COMPILED_SERVERS: readonly ServerUnderTest[] = [
  {
    ...readPin('Go', GO_SDK, 'drivers/go/go.mod'),
    id: 'go-sdk-everything',
    transport: 'stdio',
    has: ['prompts', 'resources'],
    prepare: async () => ({
      spec: createStdioSpec(
        await goLibraryProgram('gosdk-server', `${GO_SDK}/examples/server/everything`),
      ),
      call: { tool: 'greet', arguments: { name: 'Ada' }, shows: 'Ada' },
    }),
  },
  {
    ...readPin('Go', MCP_GO, 'drivers/go/go.mod'),
    id: 'mcp-go-everything',
    transport: 'stdio',
    has: ['prompts', 'resources'],
    prepare: async () => ({
      spec: createStdioSpec(
        await goLibraryProgram('mcpgo-server', `${MCP_GO}/examples/everything`),
      ),
      call: callEcho,
    }),
  },
  {
    ...RUST_FILES,
    id: 'rust-mcp-filesystem',
    transport: 'stdio',
    prepare: async (folder) => {
      const file = writeSample(folder);
      return {
        spec: createStdioSpec(await installCrate(RUST_FILES.package, RUST_FILES.version), folder),
        call: { tool: 'read_text_file', arguments: { path: file }, shows: TEXT },
      };
    },
  },
];

export const SERVERS: readonly ServerUnderTest[] = [
  ...NPM_SERVERS,
  ...PYTHON_SERVERS,
  ...COMPILED_SERVERS,
];
