import { expect, it } from 'vitest';
import { callTool, serverInfo } from '../harness/answers.ts';
import { connect, type TestClient } from '../harness/clients.ts';
import { fixture } from '../harness/fixture.ts';
import { startGateway } from '../harness/gateway.ts';
import { testDirectory } from '../harness/lifetime.ts';

const directory = testDirectory();
directory.server('plain', fixture('plain'));
directory.server('other', fixture('plain'));

/** Runs a gateway for some requests, and then stops it. */
const duringRun = async (act: (client: TestClient) => Promise<void>): Promise<void> => {
  const gateway = await startGateway(directory.path);
  const client = await connect(gateway.url);
  await act(client);
  await client.close();
  await gateway.stop();
};

it('keeps a server stopped on request over a restart, until it is started', async () => {
  await duringRun(async (client) => {
    expect(await serverInfo(client, 'plain')).toMatchObject({ state: 'Running' });
    await callTool(client, 'core_service_stop', { name: 'plain' });
    expect(await serverInfo(client, 'plain')).toMatchObject({
      state: 'Stopped',
      stopRequested: true,
    });
  });
  await duringRun(async (client) => {
    expect(await serverInfo(client, 'other')).toMatchObject({ state: 'Running' });
    expect(await serverInfo(client, 'plain')).toMatchObject({
      state: 'Stopped',
      stopRequested: true,
    });
    await callTool(client, 'core_service_start', { name: 'plain' });
    const started = await serverInfo(client, 'plain');
    expect(started).toMatchObject({ state: 'Running' });
    expect(started).not.toHaveProperty('stopRequested');
  });
  await duringRun(async (client) => {
    expect(await serverInfo(client, 'plain')).toMatchObject({ state: 'Running' });
  });
});
