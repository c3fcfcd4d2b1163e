import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fixture } from '../harness/fixture.ts';
import { type RunningGateway, startGateway } from '../harness/gateway.ts';
import { testDirectory } from '../harness/lifetime.ts';
import { postMessage, rpcOf, toolCallOf } from '../harness/mcp-posts.ts';

const TOOLSET = { 'x-gateway-toolset': 'server:plain, server:other' };

/** A directory with a server, and a workflow of one step. */
const createDirectory = () => {
  const directory = testDirectory();
  directory.config({});
  directory.server('plain', fixture('plain'));
  directory.workflow('echoing', {
    steps: [{ id: 'a', tool: 'x_plain_echo', args: { text: 'hi' } }],
  });
  return directory;
};

interface Row {
  readonly tool?: string;
  readonly toolset?: string;
  readonly workflow?: string;
  readonly calls: number;
  readonly errors: number;
  readonly resultBytes: number;
}

interface Usage {
  readonly total: Row;
  readonly rows: readonly Row[];
}

const getUsage = async ({ url }: RunningGateway, args: object = {}): Promise<Usage> => {
  const { text } = await postMessage(url, toolCallOf('core_usage_get', args));
  return (JSON.parse(text) as { result: { structuredContent: Usage } }).result.structuredContent;
};

const call = (
  { url }: RunningGateway,
  name: string,
  headers: Readonly<Record<string, string>> = {},
) => postMessage(url, toolCallOf(name, { text: 'hi' }), { headers });

const PREFIX = 'io.modelcontextprotocol';

/** Calls a tool as the portal does. */
const callAsPortal = ({ url }: RunningGateway, name: string) => {
  const _meta = {
    [`${PREFIX}/protocolVersion`]: '2026-07-28',
    [`${PREFIX}/clientInfo`]: { name: 'portal', version: '1' },
    [`${PREFIX}/clientCapabilities`]: {},
  };
  const params = { name: 'call_tool', arguments: { name, arguments: {} }, _meta };
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'call_tool',
  };
  return postMessage(url, rpcOf('tools/call', params), { headers });
};

const callsByTool = ({ rows }: Usage) =>
  Object.fromEntries(rows.map(({ tool, calls }) => [tool, calls]));

it('counts the calls of tools, and keeps the counts over a restart and, but for the last minute, a kill', async () => {
  const directory = createDirectory();
  const first = await startGateway(directory.path);
  await call(first, 'x_plain_echo', TOOLSET);
  await call(first, 'x_plain_everything', TOOLSET);
  await call(first, 'workflow_echoing');
  await call(first, 'x_plain_unknown', TOOLSET);
  await callAsPortal(first, 'x_plain_pid');
  await callAsPortal(first, 'core_service_list');
  const counted = { x_plain_echo: 2, x_plain_everything: 1, x_plain_pid: 1, workflow_echoing: 1 };
  expect(callsByTool(await getUsage(first))).toEqual(counted);
  const { rows } = await getUsage(first, { by: 'toolset', hours: 1 });
  expect(
    rows.map(({ toolset = '', workflow = '', calls, errors }) => [
      toolset + workflow,
      calls,
      errors,
    ]),
  ).toEqual([
    ['', 3, 0],
    ['server:plain,server:other', 2, 1],
    ['echoing', 1, 0],
  ]);
  await first.stop();

  const second = await startGateway(directory.path);
  expect(callsByTool(await getUsage(second, { hours: 720 }))).toEqual({
    ...counted,
    core_usage_get: 2,
  });
  await call(second, 'x_plain_echo');
  await second.stop('SIGKILL');

  const third = await startGateway(directory.path);
  const { total } = await getUsage(third, { tool: 'x_plain_echo', hours: 720 });
  expect(total).toMatchObject({ calls: 2, errors: 0 });
});

it('counts a call in native mode under the exposed name', async () => {
  const gateway = await startGateway(createDirectory().path, { args: ['--expose', 'native'] });
  await postMessage(gateway.url, rpcOf('tools/call', { name: 'echo', arguments: { text: 'hi' } }));
  const headers = { 'x-gateway-expose': 'meta' };
  const { text } = await postMessage(gateway.url, toolCallOf('core_usage_get'), { headers });
  expect(text).toContain('"rows":[{"tool":"x_plain_echo","calls":1,"errors":0,');
});

it('answers calls when the counts cannot be stored, and says so once', async () => {
  const directory = createDirectory();
  const state = join(directory.path, 'state');
  if (!existsSync(state)) mkdirSync(state);
  writeFileSync(join(state, 'usage'), 'no directory');
  const gateway = await startGateway(directory.path);
  const { text } = await call(gateway, 'x_plain_echo');
  expect(text).toContain('"hi"');
  await gateway.stop();
  const warnings = gateway.logs().filter(({ msg }) => String(msg).includes('usage'));
  expect(warnings.map(({ msg }) => msg)).toEqual([
    expect.stringMatching(/^usage cannot be stored: .*; it is tried again$/u),
  ]);
});
