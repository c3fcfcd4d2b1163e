import type { Principal } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import type { Downstream } from '../src/index.ts';
import { user, testCredentials } from './harness/credentials.ts';
import { eventually, testDownstream, untilState } from './harness/downstream.ts';
import { fixture } from './harness/fixture.ts';
import { oauthServer, startProtectedHttp } from './harness/protected-http.ts';
import { defineServer } from './harness/servers.ts';

const tiny = (spec: object = {}, labels: Record<string, string> = {}) =>
  defineServer(
    'tiny',
    { type: 'stdio', command: 'sh', args: [fixture('tiny-mcp.sh')], ...spec },
    labels,
  );

const started = async (): Promise<Downstream> => {
  const { downstream } = testDownstream({ backoff: { firstMs: 600_000, maxMs: 600_000 } });
  downstream.apply([tiny()]);
  await downstream.settled();
  await untilState(downstream, 'tiny', 'Running');
  return downstream;
};

const namesOf = (downstream: Downstream, principal?: Principal): readonly string[] =>
  downstream.lastInventories(principal).map(({ name }) => name);

describe('the last inventories', () => {
  it('are those of servers that were connected and are not', async () => {
    const downstream = await started();
    const [present] = downstream.inventories();
    expect(present?.tools).toMatchObject([{ name: 'one' }]);
    expect(downstream.lastInventories()).toEqual([]);
    await downstream.stop('tiny');
    expect(downstream.inventories()).toEqual([]);
    expect(downstream.lastInventories()).toEqual([present]);
    expect(downstream.lastInventories()).toBe(downstream.lastInventories());
    await downstream.start('tiny');
    expect(downstream.inventories()).toEqual([present]);
    expect(downstream.lastInventories()).toEqual([]);
  });

  it('have nothing of a server that was never connected', async () => {
    const { downstream } = testDownstream();
    downstream.apply([tiny({ autoStart: false })]);
    await downstream.settled();
    expect(downstream.lastInventories()).toEqual([]);
  });

  it('stay while a crashed server cannot start again', async () => {
    const downstream = await started();
    const pid = Number(downstream.servers()[0]?.serverInfo?.version);
    process.kill(pid, 'SIGKILL');
    await eventually('it is down', () => downstream.inventories().length === 0);
    expect(namesOf(downstream)).toEqual(['tiny']);
  });

  it('follow names and labels of the definition', async () => {
    const downstream = await started();
    await downstream.stop('tiny');
    downstream.apply([tiny({ toolPrefix: 'p' }, { team: 'blue' })]);
    expect(downstream.lastInventories()).toMatchObject([
      { name: 'tiny', toolPrefix: 'p', labels: { team: 'blue' }, tools: [{ name: 'one' }] },
    ]);
  });

  it('forget a server that is connected differently, and one that was deleted', async () => {
    const downstream = await started();
    await downstream.stop('tiny');
    downstream.apply([tiny({ env: { A: 'b' } })]);
    expect(downstream.lastInventories()).toEqual([]);
    await downstream.start('tiny');
    await downstream.stop('tiny');
    expect(namesOf(downstream)).toEqual(['tiny']);
    downstream.apply([]);
    downstream.apply([tiny({ autoStart: false })]);
    expect(downstream.lastInventories()).toEqual([]);
  });
});

const ada = user('ada');
const bob = user('bob');

const startedForAda = async () => {
  const http = await startProtectedHttp(['ada-1', 'bob-1']);
  const credentials = testCredentials();
  const { downstream } = testDownstream({ credentials });
  downstream.apply([oauthServer('notes', http.url)]);
  await downstream.settled();
  credentials.signIn('notes', ada, 'ada-1');
  await downstream.prepare(ada);
  expect(downstream.inventoriesFor(ada)).toMatchObject([{ name: 'notes' }]);
  return { credentials, downstream };
};

describe('the last inventories of a user', () => {
  it('are those of that user alone', async () => {
    const { downstream } = await startedForAda();
    expect(namesOf(downstream, ada)).toEqual([]);
    await downstream.stop('notes');
    expect(downstream.lastInventories(ada)).toMatchObject([
      { name: 'notes', tools: [{ name: 'tool_0' }, { name: 'tool_1' }, { name: 'tool_2' }] },
    ]);
    expect([namesOf(downstream), namesOf(downstream, bob)]).toEqual([[], []]);
  });

  it('end with a sign-out', async () => {
    const { credentials, downstream } = await startedForAda();
    await downstream.stop('notes');
    expect(namesOf(downstream, ada)).toEqual(['notes']);
    credentials.signOut('notes', ada);
    expect(namesOf(downstream, ada)).toEqual([]);
  });

  it('end when the server is connected differently', async () => {
    const { downstream } = await startedForAda();
    const [{ definition } = {}] = downstream.servers();
    await downstream.stop('notes');
    if (definition === undefined) throw new Error('no server');
    const spec = { ...definition.spec, headers: { 'x-a': 'b' } } as typeof definition.spec;
    downstream.apply([{ ...definition, spec }]);
    expect(namesOf(downstream, ada)).toEqual([]);
  });
});
