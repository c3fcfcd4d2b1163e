import { describe, expect, it } from 'vitest';
import type { GatewayEvent } from '@gateway/events';
import type { Downstream, DownstreamOptions } from '../src/index.ts';
import type { DeclaredToolsStore, HintWidened } from '../src/lists/trust/declared-tools.ts';
import type { DownstreamLogEvent } from '../src/wire/log-event.ts';
import { eventually, testDownstream, viewOf } from './harness/downstream.ts';
import { stdioFixture } from './harness/servers.ts';

const entry = (name: string, rest: object = {}) => ({
  name,
  description: `Tool ${name}`,
  inputSchema: { type: 'object' },
  ...rest,
});
const reading = { annotations: { readOnlyHint: true, title: 'T' } };
const writing = { annotations: { readOnlyHint: false, title: 'T' } };

interface World {
  readonly downstream: Downstream;
  readonly log: readonly DownstreamLogEvent[];
  readonly events: readonly GatewayEvent[];
  readonly widened: readonly HintWidened[];
}

/** A server that lists what it is told to, under a store that keeps its text in memory. */
const start = async (
  options: Partial<DownstreamOptions> = {},
  args: readonly string[] = ['--tools=1'],
): Promise<World> => {
  const events: GatewayEvent[] = [];
  const widened: HintWidened[] = [];
  const { downstream, log } = testDownstream({
    emit: (event) => events.push(event),
    onHintWidened: (one) => widened.push(one),
    relist: { debounceMs: 1, minIntervalMs: 1 },
    now: () => 1_700_000_000_000,
    ...options,
  });
  downstream.apply([stdioFixture('raw', 'raw-stdio.mjs', args)]);
  await downstream.settled();
  return { downstream, log, events, widened };
};

const memoryStore = (text?: string): DeclaredToolsStore & { text: string | undefined } => {
  const store = {
    text,
    read: () => Promise.resolve(store.text),
    write: (next: string) => Promise.resolve(void (store.text = next)),
  };
  return store;
};

const toolsOf = ({ downstream }: Pick<World, 'downstream'>) =>
  downstream.inventories()[0]?.tools ?? [];
const readOnlyOf = (world: Pick<World, 'downstream'>, name: string): unknown =>
  toolsOf(world).find((one) => one.name === name)?.annotations?.readOnlyHint;

const list = async ({ downstream }: World, ...tools: readonly object[]): Promise<void> => {
  const names = tools.map((one) => (one as { readonly name: string }).name);
  const marker = `m${Math.random()}`;
  await downstream.callTool({
    server: 'raw',
    tool: 'rename',
    arguments: { tools: [...tools, entry(marker)] },
  });
  await eventually(`${names.join()} are listed`, () =>
    toolsOf({ downstream }).some(({ name }) => name === marker),
  );
};

const about = (events: readonly GatewayEvent[]) =>
  events.filter(
    ({ reason }) => reason.startsWith('MCPServerTool') && !reason.endsWith('Discovered'),
  );

describe('a tool whose declaration changed', () => {
  it('raises one event, one log line, and shows until it is accepted', async () => {
    const world = await start();
    expect(viewOf(world.downstream, 'raw')).not.toHaveProperty('toolChanges');
    await list(world, entry('a'), entry('b'));
    await list(world, entry('a', { description: 'other', title: 'A' }), entry('b'), entry('c'));
    await list(world, entry('a', { description: 'other', title: 'A' }), entry('b'));
    const change = { tool: 'a', fields: ['title', 'description'] };
    expect(about(world.events)).toEqual([
      { reason: 'MCPServerToolChanged', name: 'raw', namespace: 'default', ...change },
    ]);
    expect(world.log.filter(({ event }) => event === 'server.tool-changed')).toEqual([
      { level: 'info', event: 'server.tool-changed', server: 'raw', ...change },
    ]);
    const shown = { ...change, at: 1_700_000_000_000, hintWidened: false, held: false };
    expect(viewOf(world.downstream, 'raw').toolChanges).toEqual([shown]);
    expect(world.widened).toEqual([]);
    expect(await world.downstream.acceptTools('raw', ['b', 'z'])).toEqual({
      kind: 'unknown-tools',
      tools: ['z'],
    });
    expect(await world.downstream.acceptTools('nobody')).toEqual({ kind: 'unknown' });
    expect(await world.downstream.acceptTools('raw', ['b'])).toEqual({ kind: 'done', tools: [] });
    // Without a store nothing outlasts the process.
    const accepted = { kind: 'done', tools: ['a'], unsaved: true };
    expect(await world.downstream.acceptTools('raw')).toEqual(accepted);
    expect(viewOf(world.downstream, 'raw')).not.toHaveProperty('toolChanges');
    expect(world.events.at(-1)).toEqual({
      reason: 'MCPServerToolsAccepted',
      ...{ name: 'raw', namespace: 'default', tools: ['a'] },
    });
  });

  it('is reported 100 times in a burst per server, widened hints first', async () => {
    const world = await start();
    const many = (description: string) =>
      Array.from({ length: 300 }, (_, index) => entry(`t${index}`, { description }));
    await list(world, ...many('a'), entry('w', writing));
    await list(world, ...many('b'), entry('w', reading));
    const reasons = about(world.events).map(({ reason }) => reason);
    expect(reasons.slice(0, 2)).toEqual(['MCPServerToolChanged', 'MCPServerToolHintWidened']);
    expect(reasons).toHaveLength(101);
    expect(world.log.filter(({ event }) => event === 'server.tool-changes-omitted')).toEqual([
      {
        level: 'warn',
        event: 'server.tool-changes-omitted',
        server: 'raw',
        count: 201,
        widened: 0,
      },
    ]);
    expect(viewOf(world.downstream, 'raw').toolChanges).toHaveLength(100);
  });
});

describe('a readOnlyHint that turns to true', () => {
  it('is logged at warn level, counted and shown, and counts when hints are not pinned', async () => {
    const world = await start();
    await list(world, entry('a', writing), entry('b'));
    await list(world, entry('a', reading), entry('b', reading));
    expect(world.widened).toEqual([
      { server: 'raw', tool: 'a', held: false },
      { server: 'raw', tool: 'b', held: false },
    ]);
    expect(world.log.filter(({ event }) => event === 'server.tool-hint-widened')).toEqual([
      { level: 'warn', event: 'server.tool-hint-widened', server: 'raw', tool: 'a', held: false },
      { level: 'warn', event: 'server.tool-hint-widened', server: 'raw', tool: 'b', held: false },
    ]);
    expect([readOnlyOf(world, 'a'), readOnlyOf(world, 'b')]).toEqual([true, true]);
  });

  it('does not enter what is offered before it is accepted when hints are pinned', async () => {
    const store = memoryStore();
    const world = await start({ pinToolHints: true, declaredTools: store });
    await list(world, entry('a', writing), entry('b'), entry('c', reading));
    await list(world, entry('a', reading), entry('b', reading), entry('c', reading));
    const hints = (downstream: Downstream) =>
      ['a', 'b', 'c'].map((name) => readOnlyOf({ downstream }, name));
    expect(hints(world.downstream)).toEqual([false, undefined, true]);
    // What is passed on as the server listed it says the same, and keeps everything else.
    expect(toolsOf(world).map(({ listed }) => listed?.['annotations'])).toEqual([
      { title: 'T', readOnlyHint: false },
      { title: 'T' },
      reading.annotations,
      undefined,
    ]);
    expect(viewOf(world.downstream, 'raw').toolChanges).toHaveLength(2);
    const before = world.downstream.inventories();
    expect(await world.downstream.acceptTools('raw', ['a'])).toEqual({
      kind: 'done',
      tools: ['a'],
    });
    expect(hints(world.downstream)).toEqual([true, undefined, true]);
    expect(viewOf(world.downstream, 'raw').toolChanges).toMatchObject([{ tool: 'b', held: true }]);
    const [old, now] = [before[0]?.tools[2], toolsOf(world)[2]];
    expect(now).toBe(old);
    expect(store.text).toContain('"raw"');
    expect(await world.downstream.acceptTools('raw', ['z'])).toEqual({
      kind: 'unknown-tools',
      tools: ['z'],
    });
  });
});

describe('a restart of the gateway', () => {
  it('loses neither known tools nor changes that are not accepted', async () => {
    const store = memoryStore();
    const first = await start({ declaredTools: store });
    await list(first, entry('tool_0', { description: 'Tool 0' }), entry('tool_1', reading));
    await list(
      first,
      entry('tool_0', { description: 'other', ...writing }),
      entry('tool_1', reading),
    );
    await first.downstream.close();
    const second = await start({ declaredTools: store, pinToolHints: true }, ['--tools=3']);
    // The server lists `tool_1` without hints now, and `tool_2` for the first time.
    expect(about(second.events)).toMatchObject([
      { reason: 'MCPServerToolChanged', tool: 'tool_0', fields: ['description', 'annotations'] },
      { reason: 'MCPServerToolChanged', tool: 'tool_1' },
    ]);
    await list(second, entry('tool_0', reading), entry('tool_1', reading));
    expect(second.widened).toEqual([
      { server: 'raw', tool: 'tool_0', held: true },
      { server: 'raw', tool: 'tool_1', held: true },
    ]);
    await second.downstream.close();
    const third = await start({ declaredTools: store, pinToolHints: true }, ['--tools=1']);
    expect(viewOf(third.downstream, 'raw').toolChanges?.map(({ tool }) => tool)).toContain(
      'tool_1',
    );
  });

  it('starts empty, and logs it, when the stored text cannot be read', async () => {
    const world = await start({
      declaredTools: {
        read: () => Promise.reject(new Error('EIO')),
        write: () => Promise.resolve(),
      },
    });
    expect(viewOf(world.downstream, 'raw').state).toBe('Running');
    expect(world.log).toContainEqual({
      ...{ level: 'warn', event: 'declared-tools.unreadable', reason: 'EIO', kept: true },
    });
  });
});

describe('a change that cannot be stored', () => {
  it('lasts until the gateway restarts, and the outcome reports it', async () => {
    const write = () => Promise.reject(new Error('ENOSPC: no space left on device'));
    const world = await start({
      pinToolHints: true,
      declaredTools: { read: () => Promise.resolve(undefined), write },
    });
    await list(world, entry('a', writing));
    await list(world, entry('a', reading));
    const accepted = { kind: 'done', tools: ['a'], unsaved: true };
    expect(await world.downstream.acceptTools('raw')).toEqual(accepted);
    expect(readOnlyOf(world, 'a')).toBe(true);
    expect(world.log.filter(({ event }) => event === 'declared-tools.unsaved')).toEqual([
      {
        level: 'warn',
        event: 'declared-tools.unsaved',
        reason: 'ENOSPC: no space left on device',
      },
    ]);
  });
});
