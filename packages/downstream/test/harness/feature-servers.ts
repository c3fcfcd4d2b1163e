import type { Caller } from '@gateway/call-contract';
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { McpServer } from '@gateway/crd-schemas';
import type { Downstream } from '../../src/index.ts';
import type { RequestOptions } from '../../src/requests/outgoing-requests.ts';
import { openDownstream, resultOf, running } from './downstream.ts';
import { fixture } from './fixture.ts';
import { defineServer, stdioFixture } from './servers.ts';

/** The capabilities of the clients of these tests, for servers of the 2025 revisions. */
const clientFeatures = {
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  roots: {},
};

interface StartedProgram {
  readonly url: string;
  readonly port: number;
  readonly kill: () => void;
}

/** Runs a fixture that serves HTTP and writes its port; resolves once it listens. */
const startProgram = async (
  script: string,
  args: readonly string[] = [],
): Promise<StartedProgram> => {
  const child = spawn(process.execPath, [fixture(script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const text = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8'))),
  );
  const port = Number(text);
  const kill = (): void => void child.kill('SIGKILL');
  return { url: `http://127.0.0.1:${port}/mcp`, port, kill };
};

/** Runs such a fixture until the test ends. Returns its URL. */
export const useProgram = async (script: string, ...args: readonly string[]): Promise<string> => {
  const { url, kill } = await startProgram(script, args);
  onTestFinished(kill);
  return url;
};

/** Runs a server with all features as a process of its own; resolves with where it listens. */
export const startFeatures = async (
  generation: 'gen1' | 'sse' | 'gen2',
  port = 0,
): Promise<StartedProgram> => {
  const started = await startProgram('features-http.mjs', [generation, `${port}`]);
  return generation === 'sse' ? { ...started, url: started.url.replace('/mcp', '/sse') } : started;
};

type Generation = 'gen1' | 'gen2';
type TransportName = 'stdio' | 'streamable-http' | 'sse';

/** Such a server, over a transport. */
const featureServer = async (
  generation: Generation,
  transport: TransportName,
): Promise<{ readonly server: McpServer; readonly kill: () => void }> => {
  if (transport === 'stdio')
    return {
      server: stdioFixture('features', 'features-stdio.mjs', [generation]),
      kill: () => undefined,
    };
  const { url, kill } = await startFeatures(transport === 'sse' ? 'sse' : generation);
  return { server: defineServer('features', { type: transport, url }), kill };
};

/** A downstream with one such server, for one test. */
export const connectedTo = async (
  generation: Generation,
  transport: TransportName,
): Promise<Downstream> => {
  const { server, kill } = await featureServer(generation, transport);
  onTestFinished(kill);
  return (await running([server], { clientFeatures })).downstream;
};

/** A downstream with one such server for all tests of a group. */
export const useFeatures = (
  generation: Generation,
  transport: TransportName,
): (() => Downstream) => {
  const { downstream } = openDownstream({ clientFeatures });
  let kill = (): void => undefined;
  beforeAll(async () => {
    const started = await featureServer(generation, transport);
    kill = started.kill;
    downstream.apply([started.server]);
    await downstream.settled();
  });
  afterAll(async () => {
    await downstream.close();
    kill();
  });
  return () => downstream;
};

/** Calls a tool of the server and reads the JSON that it answers with. */
export const callFeature = async (
  downstream: Downstream,
  tool: string,
  args: Readonly<Record<string, unknown>> = {},
  options: RequestOptions & { readonly caller?: Caller } = {},
): Promise<unknown> => {
  const call = { server: 'features', tool, arguments: args };
  const { content } = resultOf(await downstream.callTool(call, options));
  const [item] = content as readonly { readonly text: string }[];
  return JSON.parse(item?.text ?? 'null');
};
