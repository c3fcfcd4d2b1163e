import { join } from 'node:path';
import {
  type SdkBridgeArguments,
  createBridgeDriver,
  openHttp,
  type Revisions,
  createSdkDriver,
  type Driver,
  limitDriver,
  createInspectorDriver,
  startProgramDriver,
} from './drivers.ts';
import {
  goDriver,
  installNodePackages,
  readPin,
  type Pinned,
  installPythonPackages,
  buildRustProgram,
} from './packages.ts';
import { resolvePlace, BUILT_GATEWAY } from '../gateway.ts';

export interface ClientUnderTest extends Pinned {
  readonly id: string;
  readonly title: string;
  /** Installs the client, unless it is, and returns a function that starts it. */
  readonly prepare: () => Promise<() => Driver>;
}

type Named = Pick<ClientUnderTest, 'id' | 'package' | 'title'>;

function pythonClient(client: Named, script: string): ClientUnderTest {
  return {
    ...client,
    ...readPin('PyPI', client.package, `pinned/python/${client.id}.txt`),
    prepare: async () => {
      const command = await installPythonPackages(client.id);
      return () => startProgramDriver({ command, args: [resolvePlace('drivers/python', script)] });
    },
  };
}

function nodeClient(client: Named, start: (modules: string) => Driver): ClientUnderTest {
  return {
    ...client,
    ...readPin('npm', client.package, `pinned/node/${client.id}/package.json`),
    prepare: async () => {
      const modules = await installNodePackages(client.id);
      return () => start(modules);
    },
  };
}

function goClient(client: Named, name: 'gosdk' | 'mcpgo'): ClientUnderTest {
  return {
    ...client,
    ...readPin('Go', client.package, 'drivers/go/go.mod'),
    prepare: async () => {
      const command = await goDriver(name);
      return () => startProgramDriver({ command, args: [] });
    },
  };
}

const headerArguments = (headers: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}:${value}`]);

const LIBRARIES: readonly ClientUnderTest[] = [
  {
    id: 'typescript',
    title: 'TypeScript SDK 2',
    ...readPin('npm', '@modelcontextprotocol/client', '../../pnpm-workspace.yaml'),
    // A dependency of this package.
    prepare: () => Promise.resolve(() => createSdkDriver(openHttp)),
  },
  pythonClient({ id: 'python-1', title: 'Python SDK 1', package: 'mcp' }, 'python_1.py'),
  pythonClient({ id: 'python-2', title: 'Python SDK 2', package: 'mcp' }, 'python_2.py'),
  pythonClient({ id: 'fastmcp-3', title: 'FastMCP 3', package: 'fastmcp' }, 'fastmcp_client.py'),
  pythonClient({ id: 'fastmcp-4', title: 'FastMCP 4', package: 'fastmcp' }, 'fastmcp_client.py'),
  goClient(
    { id: 'go-sdk', title: 'Go SDK', package: 'github.com/modelcontextprotocol/go-sdk' },
    'gosdk',
  ),
  goClient({ id: 'mcp-go', title: 'mcp-go', package: 'github.com/mark3labs/mcp-go' }, 'mcpgo'),
  {
    id: 'rmcp',
    title: 'Rust SDK (rmcp)',
    ...readPin('crates', 'rmcp', 'drivers/rust/Cargo.toml'),
    prepare: async () => {
      const command = await buildRustProgram('compat-rmcp');
      return () => startProgramDriver({ command, args: [] });
    },
  },
];

/** Seen on the wire: the gateway sends the messages, and the bridge drops them. */
const ONE_WAY =
  'it passes requests of its client on, and no requests and notifications of the server';

const AGENTS_AND_PROGRAMS: readonly ClientUnderTest[] = [
  nodeClient(
    { id: 'inspector', title: 'Inspector CLI', package: '@modelcontextprotocol/inspector' },
    (modules) => createInspectorDriver(join(modules, '.bin/mcp-inspector')),
  ),
  pythonClient(
    { id: 'langchain', title: 'LangChain adapters', package: 'langchain-mcp-adapters' },
    'langchain.py',
  ),
  pythonClient(
    { id: 'openai-agents', title: 'OpenAI Agents SDK', package: 'openai-agents' },
    'openai_agents.py',
  ),
  pythonClient(
    { id: 'pydantic-ai', title: 'Pydantic AI', package: 'pydantic-ai-slim' },
    'pydantic_ai_client.py',
  ),
  nodeClient({ id: 'mcp-remote', title: 'mcp-remote', package: 'mcp-remote' }, (modules) =>
    limitDriver(
      createBridgeDriver(join(modules, '.bin/mcp-remote'), (url, headers) => [
        ...[url, '--allow-http', '--transport', 'http-only', '--silent'],
        ...headerArguments(headers),
      ]),
      {
        cancelIn2026:
          'in revision 2026-07-28 it sends a notification in place of closing the stream of the response',
      },
    ),
  ),
  nodeClient({ id: 'supergateway', title: 'supergateway', package: 'supergateway' }, (modules) =>
    limitDriver(
      createBridgeDriver(join(modules, '.bin/supergateway'), (url, headers) => [
        '--streamableHttp',
        url,
        '--logLevel',
        'none',
        ...headerArguments(headers),
      ]),
      { progress: ONE_WAY, answer: ONE_WAY, watch: ONE_WAY },
    ),
  ),
];

/** The bridge of the gateway, with the TypeScript SDK in place of a desktop application. */
function ownBridge(id: string, title: string, revisions: Revisions): ClientUnderTest {
  const argumentsOf: SdkBridgeArguments = (url, headers) => {
    const toolset = headers['X-Gateway-Toolset'];
    return ['stdio', '--url', url, ...(toolset === undefined ? [] : ['--toolset', toolset])];
  };
  return {
    id,
    title,
    ...readPin('npm', '@modelcontextprotocol/client', '../../pnpm-workspace.yaml'),
    prepare: () => Promise.resolve(() => createBridgeDriver(BUILT_GATEWAY, argumentsOf, revisions)),
  };
}

const OWN_BRIDGES: readonly ClientUnderTest[] = [
  ownBridge('bridge', '`gateway stdio --url`', 'latest'),
  ownBridge('bridge-2025', '`gateway stdio --url`, client of 2025', 'earlier'),
];

export const CLIENTS: readonly ClientUnderTest[] = [
  ...LIBRARIES,
  ...AGENTS_AND_PROGRAMS,
  ...OWN_BRIDGES,
];
