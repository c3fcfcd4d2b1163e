import { describe, expect, it } from 'vitest';
import type { Downstream, DownstreamOptions } from '../src/index.ts';
import type { DeclaredToolsStore, HintWidened } from '../src/lists/trust/declared-tools.ts';
import { eventually, running, viewOf } from './harness/downstream.ts';
import { stdioFixture } from './harness/servers.ts';

const entry = (name: string, rest: object = {}) => ({
  name,
  description: `Tool ${name}`,
  inputSchema: { type: 'object' },
  ...rest,
});
const reading = { annotations: { readOnlyHint: true, title: 'T' } };
const writing = { annotations: { readOnlyHint: false, title: 'T' } };

const toolsOf = (downstream: Downstream) => downstream.inventories()[0]?.tools ?? [];

/** A server that lists what it is told to. */
const start = async (
  options: Partial<DownstreamOptions> = {},
  args: readonly string[] = ['--tools=1'],
) => {
  const widened: HintWidened[] = [];
  const { downstream, log, events } = await running([stdioFixture('raw', 'raw-stdio.mjs', args)], {
    onHintWidened: (one) => widened.push(one),
    relist: { debounceMs: 1, minIntervalMs: 1 },
    now: () => 1_700_000_000_000,
    ...options,
  });
  return {
    downstream,
    events,
    widened,
    logged: (event: string) => log.filter((entry) => entry.event === event),
    view: () => viewOf(downstream, 'raw'),
    /** The events about changed declarations. */
    about: () =>
      events.filter(
        ({ reason }) => reason.startsWith('MCPServerTool') && !reason.endsWith('Discovered'),
      ),
    readOnlyOf: (...names: readonly string[]) =>
      names.map(
        (name) => toolsOf(downstream).find((tool) => tool.name === name)?.annotations?.readOnlyHint,
      ),
    list: async (...listed: readonly object[]): Promise<void> => {
      const marker = `m${Math.random()}`;
      const tools = [...listed, entry(marker)];
      await downstream.callTool({ server: 'raw', tool: 'rename', arguments: { tools } });
      await eventually('they are listed', () =>
        toolsOf(downstream).some(({ name }) => name === marker),
      );
    },
    accept: (...tools: readonly string[]) =>
      downstream.acceptTools('raw', tools.length > 0 ? tools : undefined),
  };
};

const memoryStore = (): DeclaredToolsStore & { text: string | undefined } => {
  const store = {
    text: undefined as string | undefined,
    read: () => Promise.resolve(store.text),
    write: (next: string) => Promise.resolve(void (store.text = next)),
  };
  return store;
};

describe('a tool whose declaration changed', () => {
  it('raises one event, one log line, and shows until it is accepted', async () => {
    const { downstream, events, widened, logged, view, about, list, accept } = await start();
    expect(view()).not.toHaveProperty('toolChanges');
    const other = entry('a', { description: 'other', title: 'A' });
    await list(entry('a'), entry('b'));
    await list(other, entry('b'), entry('c'));
    await list(other, entry('b'));
    const change = { tool: 'a', fields: ['title', 'description'] };
    const server = { name: 'raw', namespace: 'default' };
    expect(about()).toEqual([{ reason: 'MCPServerToolChanged', ...server, ...change }]);
    const event = 'server.tool-changed';
    expect(logged(event)).toEqual([{ level: 'info', event, server: 'raw', ...change }]);
    const shown = { ...change, at: 1_700_000_000_000, hintWidened: false, held: false };
    expect(view().toolChanges).toEqual([shown]);
    expect(widened).toEqual([]);
    expect(await accept('b', 'z')).toEqual({ kind: 'unknown-tools', tools: ['z'] });
    expect(await downstream.acceptTools('nobody')).toEqual({ kind: 'unknown' });
    expect(await accept('b')).toEqual({ kind: 'done', tools: [] });
    // Without a store nothing outlasts the process.
    expect(await accept()).toEqual({ kind: 'done', tools: ['a'], unsaved: true });
    expect(view()).not.toHaveProperty('toolChanges');
    expect(events.at(-1)).toEqual({ reason: 'MCPServerToolsAccepted', ...server, tools: ['a'] });
  });

  it('is reported 100 times in a burst per server, widened hints first', async () => {
    const { logged, view, about, list } = await start();
    const many = (description: string) =>
      Array.from({ length: 300 }, (_, index) => entry(`t${index}`, { description }));
    await list(...many('a'), entry('w', writing));
    await list(...many('b'), entry('w', reading));
    const reasons = about().map(({ reason }) => reason);
    expect(reasons.slice(0, 2)).toEqual(['MCPServerToolChanged', 'MCPServerToolHintWidened']);
    expect(reasons).toHaveLength(101);
    const event = 'server.tool-changes-omitted';
    const omitted = { level: 'warn', event, server: 'raw', count: 201, widened: 0 };
    expect(logged(event)).toEqual([omitted]);
    expect(view().toolChanges).toHaveLength(100);
  });
});

describe('a readOnlyHint that turns to true', () => {
  it('is logged at warn level, counted and shown, and counts when hints are not pinned', async () => {
    const { widened, logged, list, readOnlyOf } = await start();
    await list(entry('a', writing), entry('b'));
    await list(entry('a', reading), entry('b', reading));
    const facts = ['a', 'b'].map((tool) => ({ server: 'raw', tool, held: false }));
    expect(widened).toEqual(facts);
    const event = 'server.tool-hint-widened';
    expect(logged(event)).toEqual(facts.map((fact) => ({ level: 'warn', event, ...fact })));
    expect(readOnlyOf('a', 'b')).toEqual([true, true]);
  });

  it('does not enter what is offered before it is accepted when hints are pinned', async () => {
    const store = memoryStore();
    const world = await start({ pinToolHints: true, declaredTools: store });
    const { downstream, view, list, accept, readOnlyOf } = world;
    await list(entry('a', writing), entry('b'), entry('c', reading));
    await list(entry('a', reading), entry('b', reading), entry('c', reading));
    expect(readOnlyOf('a', 'b', 'c')).toEqual([false, undefined, true]);
    // What is passed on as the server listed it says the same, and keeps everything else.
    expect(toolsOf(downstream).map(({ listed }) => listed?.['annotations'])).toEqual([
      { title: 'T', readOnlyHint: false },
      { title: 'T' },
      reading.annotations,
      undefined,
    ]);
    expect(view().toolChanges).toHaveLength(2);
    const old = toolsOf(downstream)[2];
    expect(await accept('a')).toEqual({ kind: 'done', tools: ['a'] });
    expect(readOnlyOf('a', 'b', 'c')).toEqual([true, undefined, true]);
    expect(view().toolChanges).toMatchObject([{ tool: 'b', held: true }]);
    expect(toolsOf(downstream)[2]).toBe(old);
    expect(store.text).toContain('"raw"');
    expect(await accept('z')).toEqual({ kind: 'unknown-tools', tools: ['z'] });
  });
});

describe('a restart of the gateway', () => {
  it('loses neither known tools nor changes that are not accepted', async () => {
    const declaredTools = memoryStore();
    const first = await start({ declaredTools });
    await first.list(entry('tool_0', { description: 'Tool 0' }), entry('tool_1', reading));
    const changed = entry('tool_0', { description: 'other', ...writing });
    await first.list(changed, entry('tool_1', reading));
    await first.downstream.close();
    const second = await start({ declaredTools, pinToolHints: true }, ['--tools=3']);
    // The server lists `tool_1` without hints now, and `tool_2` for the first time.
    expect(second.about()).toMatchObject([
      { reason: 'MCPServerToolChanged', tool: 'tool_0', fields: ['description', 'annotations'] },
      { reason: 'MCPServerToolChanged', tool: 'tool_1' },
    ]);
    await second.list(entry('tool_0', reading), entry('tool_1', reading));
    expect(second.widened).toEqual(
      ['tool_0', 'tool_1'].map((tool) => ({ server: 'raw', tool, held: true })),
    );
    await second.downstream.close();
    const third = await start({ declaredTools, pinToolHints: true }, ['--tools=1']);
    expect(third.view().toolChanges?.map(({ tool }) => tool)).toContain('tool_1');
  });

  it('starts empty, and logs it, when the stored text cannot be read', async () => {
    const read = () => Promise.reject(new Error('EIO'));
    const { view, logged } = await start({ declaredTools: { ...memoryStore(), read } });
    expect(view().state).toBe('Running');
    const event = 'declared-tools.unreadable';
    expect(logged(event)).toEqual([{ level: 'warn', event, reason: 'EIO', kept: true }]);
  });
});

it('a change that cannot be stored lasts until the gateway restarts, and the outcome reports it', async () => {
  const reason = 'ENOSPC: no space left on device';
  const write = () => Promise.reject(new Error(reason));
  const declaredTools = { ...memoryStore(), write };
  const { list, accept, readOnlyOf, logged } = await start({ pinToolHints: true, declaredTools });
  await list(entry('a', writing));
  await list(entry('a', reading));
  expect(await accept()).toEqual({ kind: 'done', tools: ['a'], unsaved: true });
  expect(readOnlyOf('a')).toEqual([true]);
  const event = 'declared-tools.unsaved';
  expect(logged(event)).toEqual([{ level: 'warn', event, reason }]);
});
