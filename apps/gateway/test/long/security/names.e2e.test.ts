import { retryAssertion } from '@gateway/repo-checks';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callTool, serverInfo, textOf } from '../../harness/answers.ts';
import { connect, type TestClient } from '../../harness/clients.ts';
import { fixture } from '../../harness/fixture.ts';
import { startGateway, type RunningGateway } from '../../harness/gateway.ts';
import { setUp, testDirectory } from '../../harness/lifetime.ts';

const directory = testDirectory();
let gateway: RunningGateway;
const clients: TestClient[] = [];

const namesFile = (server: string): string => join(directory.path, `${server}.json`);

const define = (server: string, tools: readonly string[], spec: object = {}): void => {
  writeFileSync(namesFile(server), JSON.stringify(tools));
  directory.server(server, {
    ...fixture('naming', { args: [namesFile(server), server] }),
    ...spec,
  });
};

const HEADERS = { 'X-Gateway-Toolset': 'tool:x_git_hub_create,tool:core_mcpserver_get' };

const connectAll = async (): Promise<void> => {
  for (let left = 6; left > 0; left -= 1) clients.push(await connect(gateway.url, HEADERS));
};

setUp(async () => {
  define('git', []);
  define('zhub', ['create'], { toolPrefix: 'git_hub' });
  gateway = await startGateway(directory.path);
  await connectAll();
});

/** The servers that answer calls of the contested name, over all clients. */
const answering = async (): Promise<readonly string[]> => {
  const answers = await Promise.all(
    clients.map(async (client) => textOf(await callTool(client, 'x_git_hub_create'))),
  );
  return [...new Set(answers)];
};

/** Adds the answers of one round of calls. */
const answered = async (answers: string[]): Promise<false> => {
  answers.push(...(await answering()));
  return false;
};

const conditionsOf = async (client: TestClient, server: string): Promise<unknown> =>
  (await serverInfo(client, server))['status'];

const announce = async (server: string, tools: readonly string[]): Promise<void> => {
  const plain = await connect(gateway.url);
  await callTool(plain, server === 'git' ? 'x_git_announce' : 'x_git_hub_announce', { tools });
  await plain.close();
};

it('calls the holder of a name under an unchanged toolset until the holder is deleted', async () => {
  expect(await answering()).toEqual(['zhub']);

  await announce('git', ['hub_create', 'hub_announce']);
  const [client] = clients as [TestClient];
  await retryAssertion(async () => {
    expect(await conditionsOf(client, 'git')).toMatchObject({
      conditions: expect.arrayContaining([
        expect.objectContaining({ type: 'NamesAccepted', reason: 'NameConflict' }),
      ]) as unknown,
    });
  });
  expect(await answering()).toEqual(['zhub']);

  // The holder restarts: nobody else answers under its name.
  const restarter = await connect(gateway.url);
  const restart = callTool(restarter, 'core_service_restart', { name: 'zhub' });
  const during: string[] = [];
  const restarted = restart.then(() => true);
  while (!(await Promise.race([restarted, answered(during)])));
  await restarter.close();
  expect(during.filter((text) => text === 'git')).toEqual([]);
  expect(await answering()).toEqual(['zhub']);

  directory.delete('mcpservers/zhub.yaml');
  await retryAssertion(async () => {
    expect(await answering()).toEqual(['git']);
  });
});
