import type { Principal } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import type { Downstream } from '../src/index.ts';
import { eventually, running, untilState } from './harness/downstream.ts';
import { fixture } from './harness/fixture.ts';
import { defineServer } from './harness/servers.ts';
import { ada, bob, startNotes } from './harness/user-server.ts';

const tiny = (spec: object = {}, labels: Record<string, string> = {}) => {
  const command = { type: 'stdio', command: 'sh', args: [fixture('tiny-mcp.sh')] };
  return defineServer('tiny', { ...command, ...spec }, labels);
};

const started = async (): Promise<Downstream> => {
  const backoff = { firstMs: 600_000, maxMs: 600_000 };
  const { downstream } = await running([tiny()], { backoff });
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

  it('stay while a crashed server cannot start again', async () => {
    const downstream = await started();
    process.kill(Number(downstream.servers()[0]?.serverInfo?.version), 'SIGKILL');
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
    // It is now a server that was never connected.
    downstream.apply([tiny({ autoStart: false })]);
    expect(downstream.lastInventories()).toEqual([]);
  });
});

describe('the last inventories of a user', () => {
  const stopped = async () => {
    const { credentials, signIn, downstream } = await startNotes();
    await signIn(ada);
    expect(namesOf(downstream, ada)).toEqual([]);
    const definition = downstream.servers()[0]?.definition;
    if (definition === undefined) throw new Error('no server');
    await downstream.stop('notes');
    return { credentials, downstream, definition };
  };

  it('are those of that user alone, until a sign-out', async () => {
    const { credentials, downstream } = await stopped();
    expect(downstream.lastInventories(ada)).toMatchObject([
      { name: 'notes', tools: [{ name: 'tool_0' }, { name: 'tool_1' }, { name: 'tool_2' }] },
    ]);
    expect([namesOf(downstream), namesOf(downstream, bob)]).toEqual([[], []]);
    credentials.signOut('notes', ada);
    expect(namesOf(downstream, ada)).toEqual([]);
  });

  it('end when the server is connected differently', async () => {
    const { downstream, definition } = await stopped();
    const spec = { ...definition.spec, headers: { 'x-a': 'b' } } as typeof definition.spec;
    downstream.apply([{ ...definition, spec }]);
    expect(namesOf(downstream, ada)).toEqual([]);
  });
});
