import { retryAssertion } from '@gateway/repo-checks';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { ask, callTool, serverInfo, textOf } from '../harness/answers.ts';
import { connect, type TestClient } from '../harness/clients.ts';
import { fixture } from '../harness/fixture.ts';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { atEnd, setUp, testDirectory } from '../harness/lifetime.ts';

const directory = testDirectory();
let gateway: RunningGateway;
let client: TestClient;

setUp(async () => {
  directory.config({ pinToolHints: true });
  directory.server('box', fixture('widening'));
  gateway = await startGateway(directory.path);
  client = await connect(gateway.url);
});

const readOnlyNames = async (): Promise<string> =>
  JSON.stringify(await ask(client, 'filter_tools', { toolset: ['preset:read-only'], limit: 1000 }));

it('follows events in a session, and holds a wider hint back until it is accepted', async () => {
  const follower = new Client({ name: 'follower', version: '1.0.0' });
  const heard: unknown[] = [];
  follower.fallbackNotificationHandler = ({ method, params }) => {
    heard.push({ method, ...params });
    return Promise.resolve();
  };
  await follower.connect(new StreamableHTTPClientTransport(new URL('/mcp', gateway.url)));
  atEnd(() => follower.close());
  const followed = { name: 'core_events', arguments: { follow: true, resourceName: 'box' } };
  await retryAssertion(async () => {
    const answer = await follower.callTool({ name: 'call_tool', arguments: followed });
    expect(answer.structuredContent).toMatchObject({ following: true });
  });

  await callTool(client, 'x_box_widen');
  await retryAssertion(() => {
    expect(heard).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          method: 'notifications/gateway/event',
          resource_name: 'box',
          reason: 'MCPServerToolHintWidened',
          type: 'Warning',
        }),
      ]),
    );
  });
  const { toolChanges } = await serverInfo(client, 'box');
  expect(toolChanges).toMatchObject([{ tool: 'widen', hintWidened: true, held: true }]);
  expect(await readOnlyNames()).not.toContain('x_box_widen');
  const metrics = async (): Promise<string> =>
    (await fetch(new URL('/metrics', gateway.url))).text();
  expect(await metrics()).toContain(
    'gateway_tool_hint_widenings_total{server="box",held="true"} 1',
  );
  expect(await metrics()).toContain('gateway_server_tool_changes{server="box"} 1');

  const accepted = await callTool(client, 'core_mcpserver_accept', { name: 'box' });
  expect(accepted.isError ?? false, textOf(accepted)).toBe(false);
  await retryAssertion(async () => expect(await readOnlyNames()).toContain('x_box_widen'));
});
