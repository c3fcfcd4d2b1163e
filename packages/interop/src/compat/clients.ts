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
  buildGoDriver,
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
  /** Installs the client if necessary, and returns a function that starts it. */
  readonly prepare: () => Promise<() => Driver>;
}

type ClientPackage = Pick<ClientUnderTest, 'id' | 'package' | 'title'>;

function createPythonClient(client: ClientPackage, script: string): ClientUnderTest {
  return {
    ...client,
    ...readPin('PyPI', client.package, `pinned/python/${client.id}.txt`),
    prepare: async () => {
      const command = await installPythonPackages(client.id);
      return () => startProgramDriver({ command, args: [resolvePlace('drivers/python', script)] });
    },
  };
}

function createNodeClient(
  client: ClientPackage,
  start: (modules: string) => Driver,
): ClientUnderTest {
  return {
    ...client,
    ...readPin('npm', client.package, `pinned/node/${client.id}/package.json`),
    prepare: async () => {
      const modules = await installNodePackages(client.id);
      return () => start(modules);
    },
  };
}

function createGoClient(client: ClientPackage, name: 'gosdk' | 'mcpgo'): ClientUnderTest {
  return {
    ...client,
    ...readPin('Go', client.package, 'drivers/go/go.mod'),
    prepare: async () => {
      const command = await buildGoDriver(name);
      return () => startProgramDriver({ command, args: [] });
    },
  };
}

const formatHeaderArguments = (headers: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}:${value}`]);

const LIBRARIES: readonly ClientUnderTest[] = [
  {
    id: 'typescript',
    title: 'TypeScript SDK 2',
    ...readPin('npm', '@modelcontextprotocol/client', '../../pnpm-workspace.yaml'),
    // A dependency of this package.
    prepare: () => Promise.resolve(() => createSdkDriver(openHttp)),
  },
  createPythonClient({ id: 'python-1', title: 'Python SDK 1', package: 'mcp' }, 'python_1.py'),
  createPythonClient({ id: 'python-2', title: 'Python SDK 2', package: 'mcp' }, 'python_2.py'),
  createPythonClient(
    { id: 'fastmcp-3', title: 'FastMCP 3', package: 'fastmcp' },
    'fastmcp_client.py',
  ),
  createPythonClient(
    { id: 'fastmcp-4', title: 'FastMCP 4', package: 'fastmcp' },
    'fastmcp_client.py',
  ),
  createGoClient(
    { id: 'go-sdk', title: 'Go SDK', package: 'github.com/modelcontextprotocol/go-sdk' },
    'gosdk',
  ),
  createGoClient(
    { id: 'mcp-go', title: 'mcp-go', package: 'github.com/mark3labs/mcp-go' },
    'mcpgo',
  ),
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

/** Observed on the wire: the gateway sends the messages, and the bridge drops them. */
const ONE_WAY =
  'it passes requests of its client on, and no requests and notifications of the server';

const AGENTS_AND_PROGRAMS: readonly ClientUnderTest[] = [
  createNodeClient(
    { id: 'inspector', title: 'Inspector CLI', package: '@modelcontextprotocol/inspector' },
    (modules) => createInspectorDriver(join(modules, '.bin/mcp-inspector')),
  ),
  createPythonClient(
    { id: 'langchain', title: 'LangChain adapters', package: 'langchain-mcp-adapters' },
    'langchain.py',
  ),
  createPythonClient(
    { id: 'openai-agents', title: 'OpenAI Agents SDK', package: 'openai-agents' },
    'openai_agents.py',
  ),
  createPythonClient(
    { id: 'pydantic-ai', title: 'Pydantic AI', package: 'pydantic-ai-slim' },
    'pydantic_ai_client.py',
  ),
  createNodeClient({ id: 'mcp-remote', title: 'mcp-remote', package: 'mcp-remote' }, (modules) =>
    limitDriver(
      createBridgeDriver(join(modules, '.bin/mcp-remote'), (url, headers) => [
        ...[url, '--allow-http', '--transport', 'http-only', '--silent'],
        ...formatHeaderArguments(headers),
      ]),
      {
        cancelIn2026:
          'in revision 2026-07-28 it sends a notification in place of closing the stream of the response',
      },
    ),
  ),
  createNodeClient(
    { id: 'supergateway', title: 'supergateway', package: 'supergateway' },
    (modules) =>
      limitDriver(
        createBridgeDriver(join(modules, '.bin/supergateway'), (url, headers) => [
          '--streamableHttp',
          url,
          '--logLevel',
          'none',
          ...formatHeaderArguments(headers),
        ]),
        { progress: ONE_WAY, answer: ONE_WAY, watch: ONE_WAY },
      ),
  ),
];

/** The bridge of the gateway, with the TypeScript SDK in place of a desktop application. */
function createGatewayBridge(id: string, title: string, revisions: Revisions): ClientUnderTest {
  const formatArguments: SdkBridgeArguments = (url, headers) => {
    const toolset = headers['X-Gateway-Toolset'];
    return ['stdio', '--url', url, ...(toolset === undefined ? [] : ['--toolset', toolset])];
  };
  return {
    id,
    title,
    ...readPin('npm', '@modelcontextprotocol/client', '../../pnpm-workspace.yaml'),
    prepare: () =>
      Promise.resolve(() => createBridgeDriver(BUILT_GATEWAY, formatArguments, revisions)),
  };
}

const GATEWAY_BRIDGES: readonly ClientUnderTest[] = [
  createGatewayBridge('bridge', '`gateway stdio --url`', 'latest'),
  createGatewayBridge('bridge-2025', '`gateway stdio --url`, client of 2025', 'earlier'),
];

export const CLIENTS: readonly ClientUnderTest[] = [
  ...LIBRARIES,
  ...AGENTS_AND_PROGRAMS,
  ...GATEWAY_BRIDGES,
];
