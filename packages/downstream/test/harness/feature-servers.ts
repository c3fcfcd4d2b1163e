import type { Caller } from '@gateway/call-contract';
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { McpServer } from '@gateway/crd-schemas';
import { createDownstream } from '../../src/index.ts';
import type { Downstream } from '../../src/index.ts';
import type { RequestOptions } from '../../src/requests/outgoing-requests.ts';
import { resultOf, testDownstream } from './downstream.ts';
import { fixture } from './fixture.ts';
import { defineServer, stdioFixture } from './servers.ts';

/** The capabilities of the clients of these tests, for servers of the 2025 revisions. */
const clientFeatures = {
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  roots: {},
};

/** Runs a server with all features as a process of its own; resolves with where it listens. */
export const startFeatures = async (
  generation: 'gen1' | 'sse' | 'gen2',
  port = 0,
): Promise<{ readonly url: string; readonly port: number; readonly kill: () => void }> => {
  const child = spawn(process.execPath, [fixture('features-http.mjs'), generation, `${port}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  const listening = await new Promise<number>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString('utf8')))),
  );
  const path = generation === 'sse' ? 'sse' : 'mcp';
  return { url: `http://127.0.0.1:${listening}/${path}`, port: listening, kill };
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
  const { downstream } = testDownstream({ clientFeatures });
  downstream.apply([server]);
  await downstream.settled();
  return downstream;
};

/** A downstream with one such server for all tests of a group. */
export const useFeatures = (
  generation: Generation,
  transport: TransportName,
): (() => Downstream) => {
  let downstream: Downstream | undefined;
  let kill = (): void => undefined;
  beforeAll(async () => {
    const started = await featureServer(generation, transport);
    kill = started.kill;
    downstream = createDownstream({
      clientInfo: { name: 'gateway-test', version: '1.0.0' },
      clientFeatures,
      log: () => undefined,
      timeouts: { closeGraceMs: 500 },
      relist: { debounceMs: 20, minIntervalMs: 100 },
    });
    downstream.apply([started.server]);
    await downstream.settled();
  });
  afterAll(async () => {
    await downstream?.close();
    kill();
  });
  return () => {
    if (downstream === undefined) throw new Error('not connected yet');
    return downstream;
  };
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
