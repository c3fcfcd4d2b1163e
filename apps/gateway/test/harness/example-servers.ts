import type { ConfigDirectory } from '@gateway/repo-checks';
import { join, resolve } from 'node:path';
import { findFreePort } from '@gateway/test-peers';
import { APP, SERVER_ENV } from './gateway.ts';
import { atEnd } from './lifetime.ts';
import { startNode } from './process.ts';

/** Writes the configuration of real servers from npm: two test servers, one of them remote, a file server, and two knowledge graphs as a family. */
export async function exampleServers(directory: ConfigDirectory): Promise<void> {
  const url = await startRemoteEverything();
  const stdio = { type: 'stdio', autoStart: true };
  const files = join(directory.path, 'sample');
  directory.write('sample/welcome.md', '# Welcome\n');
  const servers = {
    everything: { ...stdio, command: 'mcp-server-everything', args: ['stdio'] },
    'everything-http': { type: 'streamable-http', url, toolPrefix: 'remote', autoStart: true },
    files: { ...stdio, command: 'mcp-server-filesystem', args: [files] },
    ...Object.fromEntries(
      ['home', 'work'].map((graph) => [
        `memory-${graph}`,
        {
          ...{ ...stdio, command: 'mcp-server-memory' },
          env: { MEMORY_FILE_PATH: join(directory.path, `${graph}.jsonl`) },
          family: { name: 'memory', instanceArg: 'graph' },
        },
      ]),
    ),
  };
  for (const [name, spec] of Object.entries(servers)) directory.server(name, spec);
}

/** Starts the protocol's own test server over Streamable HTTP on a free port. */
async function startRemoteEverything(): Promise<string> {
  const port = await findFreePort();
  const script = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
  const remote = startNode([resolve(APP, script), 'streamableHttp'], {
    env: { ...SERVER_ENV, PORT: String(port) },
  });
  atEnd(() => remote.stop('SIGKILL'));
  await remote.line((line) => line.includes(String(port)));
  return `http://127.0.0.1:${String(port)}/mcp`;
}
