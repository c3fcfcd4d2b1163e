import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createAgentManagerClient } from '@gateway/agent-manager-client';
import { findFreePort } from '@gateway/test-peers';
import { callGateway } from './core-tool.ts';
import { Closers, untilOk } from './portal.ts';
import { startAgentManager, startGateway, startPortalProgram } from './programs.ts';

const APP = resolve(import.meta.dirname, '../../../../apps/gateway');

/** State of earlier runs of the example, and servers at ports that it fixes. */
const OMITTED: ReadonlySet<string> = new Set([
  ...['data', 'releases', 'sources', 'sign-in'],
  ...['agent-manager.yaml', 'everything-http.yaml'],
]);

const AGENTS = [
  ['assistant', ['preset:assistant'], 'Writing assistant', 'Writes notes and reads files.'],
  ['reader', ['preset:read-only', 'server:archive'], 'Reader', 'Reads, and changes nothing.'],
  ['operator', ['preset:full'], 'Operator', 'May use every tool.'],
  ['chat', ['preset:none'], 'Chat', 'Answers without tools.'],
] as const;

/** The portal in front of a copy of the example of the documentation. */
export interface ExamplePortal {
  /** With a slash at its end. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const copyExample = async (home: string): Promise<string> => {
  const app = join(home, 'gateway');
  await mkdir(app);
  await symlink(join(APP, 'node_modules'), join(app, 'node_modules'));
  await cp(join(APP, 'example'), join(app, 'example'), {
    recursive: true,
    filter: (source) => !OMITTED.has(basename(source)),
  });
  return join(app, 'example');
};

const createAgents = async (baseUrl: string): Promise<void> => {
  const client = createAgentManagerClient({ baseUrl });
  for (const [name, toolset, displayName, description] of AGENTS) {
    const answer = await client.createAgent({
      ...{ namespace: 'default', name, displayName, description },
      modelConfig: 'small',
      systemMessage: 'Answer in short sentences.',
      toolset: [...toolset],
    });
    if (!answer.ok) throw new Error(answer.error.message);
  }
};

const startAll = async (example: string, closers: Closers): Promise<string> => {
  const [agentManager, gateway] = await Promise.all([
    startAgentManager({ args: ['--store', join(example, 'agents')] }).then((started) =>
      closers.add(started),
    ),
    startGateway(example).then((started) => closers.add(started)),
  ]);
  await Promise.all([createAgents(agentManager.url), untilOk(`${gateway.url}/readyz`)]);
  for (const graph of ['memory-home', 'memory-work'])
    await callGateway(gateway.url, 'workflow_digest', { graph });
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/`;
  closers.add(
    await startPortalProgram([
      ...['--port', String(port), '--gateway', `${gateway.url}/mcp`],
      ...['--agent-manager', agentManager.url, '--metrics', `${gateway.url}/metrics`],
    ]),
  );
  return url;
};

/** Starts a copy of the example with agents and with runs of a workflow, and the portal. The caller closes it. */
export const startExamplePortal = async (): Promise<ExamplePortal> => {
  const home = await mkdtemp(join(tmpdir(), 'portal-example-'));
  const closers = new Closers();
  const close = async (): Promise<void> => {
    await closers.close();
    await rm(home, { recursive: true, force: true });
  };
  try {
    return { url: await startAll(await copyExample(home), closers), close };
  } catch (error) {
    await close();
    throw error;
  }
};
