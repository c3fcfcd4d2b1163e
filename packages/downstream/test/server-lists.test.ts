import { describe, expect, it } from 'vitest';
import type { Downstream } from '../src/index.ts';
import { eventually, running, viewOf } from './harness/downstream.ts';
import { remote } from './harness/http-connection.ts';
import { modernMethods } from './harness/modern.ts';
import { startRawHttp } from './harness/raw-http.ts';
import { ada, startNotes } from './harness/user-server.ts';

const ALL = { tools: { listChanged: true }, resources: {}, prompts: {} };
const schema = { type: 'object' };
type Answer = () => unknown;
type Methods = Readonly<Record<string, Answer>>;

const ANSWERS: Methods = {
  'tools/list': () => ({ tools: [{ name: 'search', inputSchema: schema }] }),
  'resources/list': () => ({ resources: [{ uri: 'a:b' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'a:{b}' }] }),
  'prompts/list': () => ({ prompts: [{ name: 'ask' }] }),
};

const never: Answer = () => new Promise(() => undefined);
const failing = (code = -32603): never => {
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- a JSON-RPC error is no Error
  throw { code, message: 'the disk is gone' };
};

/** A list that does not work until it is repaired. */
const breakable = (method: string) => {
  let isBroken = true;
  return {
    method: { [method]: () => (isBroken ? failing() : ANSWERS[method]?.()) },
    repair: () => {
      isBroken = false;
    },
  };
};

const serving = async (methods: Methods) => {
  const http = await startRawHttp({ capabilities: ALL, methods: { ...ANSWERS, ...methods } });
  const opened = await running([remote(http.url, {}, 'wiki')]);
  const view = () => viewOf(opened.downstream, 'wiki');
  const conditionOf = (type: string) =>
    view().status.conditions.find((condition) => condition.type === type);
  return { ...opened, view, conditionOf };
};

const listsOf = (downstream: Downstream) => {
  const [inventory] = downstream.inventories();
  return [
    inventory?.tools.map(({ name }) => name),
    inventory?.resources.map(({ uri }) => uri),
    inventory?.resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    inventory?.prompts.map(({ name }) => name),
  ];
};

const COMPLETE = [['search'], ['a:b'], ['a:{b}'], ['ask']];
const PLACES = Object.keys(ANSWERS);

describe('a server of which one list', () => {
  it.each(PLACES)('%s fails serves the others, and is read again', async (method) => {
    const part = breakable(method);
    const { downstream, log, view, conditionOf } = await serving(part.method);
    const message = `${method}: the disk is gone`;
    expect(view()).toMatchObject({ state: 'Connected', listWarnings: [message] });
    const without = COMPLETE.map((list, index) => (PLACES[index] === method ? [] : list));
    expect(listsOf(downstream)).toEqual(without);
    const type = method === 'tools/list' ? 'ToolsDiscovered' : 'ListsComplete';
    expect(conditionOf(type)).toMatchObject({
      status: 'False',
      reason: 'ListFailed',
      message: `${message}. It is read again; entries that were listed before stay.`,
    });
    part.repair();
    await eventually('it is read', () => view().listWarnings === undefined);
    expect(listsOf(downstream)).toEqual(COMPLETE);
    expect(conditionOf('ListsComplete')).toBeUndefined();
    const listed = { status: 'True', message: 'The server lists 1 tool.' };
    expect(conditionOf('ToolsDiscovered')).toMatchObject(listed);
    expect(log.filter(({ event }) => event === 'server.list-refused')).toHaveLength(1);
  });

  it.each<[string, Methods]>([
    ['resources/list', {}],
    ['prompts/list', modernMethods({ tools: {}, resources: {}, prompts: {} })],
  ])('%s hangs serves its tools', async (method, handshake) => {
    const { view } = await serving({ ...handshake, [method]: never });
    const listWarnings = [`${method} was not answered in time`];
    expect(view()).toMatchObject({ state: 'Connected', toolsCount: 1, listWarnings });
  });

  it('fails at its second page serves the first one, and stays when it fails later', async () => {
    let isBroken = true;
    const page = (name: string) => [{ name, inputSchema: schema }];
    const list = (params?: { cursor?: string }) => {
      if (params?.cursor === undefined) return { tools: page('search'), nextCursor: '2' };
      return isBroken ? failing() : { tools: page('read') };
    };
    const { downstream, log, view } = await serving({ 'tools/list': list });
    const listWarnings = ['tools/list: the disk is gone'];
    expect(view()).toMatchObject({ state: 'Connected', listWarnings });
    expect(listsOf(downstream)[0]).toEqual(['search']);
    isBroken = false;
    await eventually('it is read', () => view().listWarnings === undefined);
    expect(listsOf(downstream)[0]).toEqual(['search', 'read']);
    expect(log.filter(({ event }) => event === 'server.list-refused')).toHaveLength(1);
  });

  it('is not served at all is complete without it', async () => {
    const { view, conditionOf } = await serving({ 'prompts/list': () => failing(-32601) });
    expect(view().listWarnings).toBeUndefined();
    expect(conditionOf('ListsComplete')).toBeUndefined();
  });

  it('ends with a cursor of a wrong type says so in its status and in the log', async () => {
    const list = () => ({ prompts: [{ name: 'ask' }], nextCursor: 7 });
    const { downstream, log, conditionOf } = await serving({ 'prompts/list': list });
    const reason =
      'prompts/list: the list ends at page 1, because its nextCursor is of type number, not string';
    expect(listsOf(downstream)).toEqual(COMPLETE);
    expect(conditionOf('ListsComplete')?.message).toBe(`${reason}.`);
    const refused = { event: 'server.list-refused', list: 'prompts/list', reason };
    expect(log).toContainEqual({ level: 'warn', server: 'wiki', ...refused });
  });
});

it('a server of which all lists fail fails with the reason of the tools', async () => {
  const { view } = await serving(
    Object.fromEntries(PLACES.map((method) => [method, () => failing()])),
  );
  expect(view()).toMatchObject({ state: 'Failed', reason: 'tools/list: the disk is gone' });
});

it('tools without a usable inputSchema are named in the condition, the status, the event and the log', async () => {
  const tools = [
    { name: 'search', inputSchema: schema },
    { name: 'read' },
    { name: 'write', inputSchema: null },
  ];
  const { log, events, view, conditionOf } = await serving({ 'tools/list': () => ({ tools }) });
  const reason =
    '2 tools are left out: read (it has no inputSchema), write (its inputSchema is null, not an object)';
  expect(conditionOf('ToolsDiscovered')).toMatchObject({
    status: 'True',
    reason: 'ToolsListed',
    message: `The server lists 1 tool. ${reason}.`,
  });
  expect(view().listWarnings).toEqual([
    'tool read is left out: it has no inputSchema',
    'tool write is left out: its inputSchema is null, not an object',
  ]);
  const discovered = { reason: 'MCPServerToolsDiscovered', tools: 1, omitted: reason };
  expect(events).toContainEqual({ name: 'wiki', namespace: 'default', ...discovered });
  const refused = { event: 'server.entry-refused', list: 'tools/list', count: 2, reason };
  expect(log).toContainEqual({ level: 'warn', server: 'wiki', ...refused });
});

it('a list of a user that fails does not affect the others, and is read again', async () => {
  const part = breakable('resources/list');
  const methods = { ...ANSWERS, ...part.method };
  const { signIn, downstream } = await startNotes({ capabilities: ALL, methods });
  await signIn(ada);
  const inventory = () => downstream.inventoriesFor(ada)?.[0];
  expect(inventory()).toMatchObject({ tools: [{ name: 'search' }], resources: [] });
  const listWarnings = ['resources/list: the disk is gone'];
  expect(downstream.userServers(ada)).toMatchObject([{ status: 'connected', listWarnings }]);
  part.repair();
  await eventually('it is read', () => inventory()?.resources.length === 1);
  expect(downstream.userServers(ada)[0]).not.toHaveProperty('listWarnings');
});
