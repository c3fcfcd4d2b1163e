import type { ConfigDirectory } from '@gateway/repo-checks';
import { join, resolve } from 'node:path';
import { findFreePort } from '@gateway/test-peers';
import { APP, SERVER_ENV } from './gateway.ts';
import { startNode, type RunningProcess } from './process.ts';

/** The presets of the example servers: one of every kind of rule. */
const PRESETS = {
  notes: {
    description: 'The knowledge graphs, without the tools that delete',
    include: [{ server: 'memory' }],
    exclude: [{ pattern: '*_delete_*' }],
  },
  files: { include: [{ label: 'gateway.internal/tool-group=files' }] },
  demo: {
    description: 'Two harmless tools of the test server',
    include: [{ tool: 'x_everything_echo' }, { tool: 'x_everything_get-sum' }],
  },
  observe: {
    include: [{ readOnly: true }],
    exclude: [{ label: 'gateway.internal/tool-group' }, { pattern: 'core_*' }],
  },
  labelled: { include: [{ label: 'team=' }] },
  digest: { include: [{ workflow: 'digest' }] },
  assistant: { include: [{ preset: 'notes' }, { preset: 'files' }, { pattern: 'core_*_list' }] },
};

/** The real servers from npm: two test servers, one of them remote, a file server, and two knowledge graphs as a family. */
export interface ExampleServers {
  /** Ends the remote server. */
  stop(): Promise<void>;
}

/** Writes the configuration of the example servers and starts the remote one. */
export async function exampleServers(directory: ConfigDirectory): Promise<ExampleServers> {
  const { remote, url } = await startRemoteEverything();
  const labels = (group: string) => ({ 'gateway.internal/tool-group': group });
  directory.config({ toolsetPresets: PRESETS });
  directory.server(
    'everything',
    { type: 'stdio', command: 'mcp-server-everything', args: ['stdio'], autoStart: true },
    labels('demo'),
  );
  directory.server(
    'everything-http',
    { type: 'streamable-http', url, toolPrefix: 'remote', autoStart: true },
    labels('demo'),
  );
  directory.write('sample/welcome.md', '# Welcome\n');
  directory.server(
    'files',
    {
      type: 'stdio',
      command: 'mcp-server-filesystem',
      args: [join(directory.path, 'sample')],
      autoStart: true,
    },
    { ...labels('files'), team: '' },
  );
  for (const graph of ['home', 'work'])
    directory.server(`memory-${graph}`, memorySpec(join(directory.path, `${graph}.jsonl`)));
  return {
    stop: async () => {
      await remote.stop('SIGKILL');
    },
  };
}

function memorySpec(file: string): object {
  return {
    type: 'stdio',
    command: 'mcp-server-memory',
    env: { MEMORY_FILE_PATH: file },
    family: { name: 'memory', instanceArg: 'graph' },
    autoStart: true,
  };
}

/** Starts the protocol's own test server over Streamable HTTP on a free port. */
async function startRemoteEverything(): Promise<{
  readonly remote: RunningProcess;
  readonly url: string;
}> {
  const port = await findFreePort();
  const script = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
  const remote = startNode([resolve(APP, script), 'streamableHttp'], {
    env: { ...SERVER_ENV, PORT: String(port) },
  });
  await remote.line((line) => line.includes(String(port)));
  return { remote, url: `http://127.0.0.1:${String(port)}/mcp` };
}
