import { describe, expect, it } from 'vitest';
import type { GatewayEvent } from '@gateway/events';
import type { Downstream } from '../src/index.ts';
import { user, testCredentials } from './harness/credentials.ts';
import { eventually, testDownstream, viewOf } from './harness/downstream.ts';
import { MODERN } from './harness/modern.ts';
import { oauthServer, startProtectedHttp } from './harness/protected-http.ts';
import { startRawHttp } from './harness/raw-http.ts';
import { defineServer } from './harness/servers.ts';

const ALL = { tools: { listChanged: true }, resources: {}, prompts: {} };
const schema = { type: 'object' };
type Answer = () => unknown;

const ANSWERS: Readonly<Record<string, Answer>> = {
  'tools/list': () => ({ tools: [{ name: 'search', inputSchema: schema }] }),
  'resources/list': () => ({ resources: [{ uri: 'a:b' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'a:{b}' }] }),
  'prompts/list': () => ({ prompts: [{ name: 'ask' }] }),
};

/** A list that does not work until it is repaired. */
const breakable = (method: string, broken: Answer) => {
  let isBroken = true;
  return {
    method: { [method]: () => (isBroken ? broken() : ANSWERS[method]?.()) },
    repair: () => {
      isBroken = false;
    },
  };
};

const never: Answer = () => new Promise(() => undefined);
const failing: Answer = () => {
  // What a JSON-RPC error carries is no Error.
  // eslint-disable-next-line @typescript-eslint/only-throw-error
  throw { code: -32603, message: 'the disk is gone' };
};

/** The handshake of a server of 2026-07-28. */
const MODERN_METHODS: Readonly<Record<string, Answer>> = {
  'server/discover': () => ({
    ...MODERN.methods['server/discover'](),
    capabilities: { tools: {}, resources: {}, prompts: {} },
  }),
};

const serving = async (methods: Readonly<Record<string, Answer>>) => {
  const http = await startRawHttp({ capabilities: ALL, methods: { ...ANSWERS, ...methods } });
  const events: GatewayEvent[] = [];
  const { downstream, log } = testDownstream({ emit: (event) => events.push(event) });
  downstream.apply([defineServer('wiki', { type: 'streamable-http', url: http.url })]);
  await downstream.settled();
  return { downstream, log, events };
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
const PLACES = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'];

const conditionOf = (downstream: Downstream, type: string) =>
  viewOf(downstream, 'wiki').status.conditions.find((condition) => condition.type === type);

describe('a server of which one list', () => {
  it.each(PLACES)('%s fails serves the others, and is read again', async (method) => {
    const part = breakable(method, failing);
    const { downstream, log } = await serving(part.method);
    expect(viewOf(downstream, 'wiki')).toMatchObject({
      state: 'Connected',
      listWarnings: [`${method}: the disk is gone`],
    });
    const without = COMPLETE.map((list, index) => (PLACES[index] === method ? [] : list));
    expect(listsOf(downstream)).toEqual(without);
    const type = method === 'tools/list' ? 'ToolsDiscovered' : 'ListsComplete';
    expect(conditionOf(downstream, type)).toMatchObject({
      status: 'False',
      reason: 'ListFailed',
      message: `${method}: the disk is gone. It is read again; entries that were listed before stay.`,
    });
    part.repair();
    await eventually('it is read', () => viewOf(downstream, 'wiki').listWarnings === undefined);
    expect(listsOf(downstream)).toEqual(COMPLETE);
    expect(conditionOf(downstream, 'ListsComplete')).toBeUndefined();
    expect(conditionOf(downstream, 'ToolsDiscovered')).toMatchObject({
      status: 'True',
      message: 'The server lists 1 tool.',
    });
    expect(log.filter(({ event }) => event === 'server.list-refused')).toHaveLength(1);
  });

  it.each([
    ['resources/list', {}],
    ['prompts/list', MODERN_METHODS],
  ])('%s hangs serves its tools', async (method, handshake) => {
    const { downstream } = await serving({ ...handshake, [method]: never });
    expect(viewOf(downstream, 'wiki')).toMatchObject({
      state: 'Connected',
      toolsCount: 1,
      listWarnings: [`${method} was not answered in time`],
    });
  });

  it('fails at its second page serves the first one, and stays when it fails later', async () => {
    let isBroken = true;
    const page = (name: string) => [{ name, inputSchema: schema }];
    const { downstream, log } = await serving({
      'tools/list': (params?: { cursor?: string }) => {
        if (params?.cursor === undefined) return { tools: page('search'), nextCursor: '2' };
        return isBroken ? failing() : { tools: page('read') };
      },
    });
    expect(viewOf(downstream, 'wiki')).toMatchObject({
      state: 'Connected',
      listWarnings: ['tools/list: the disk is gone'],
    });
    expect(listsOf(downstream)[0]).toEqual(['search']);
    isBroken = false;
    await eventually('it is read', () => viewOf(downstream, 'wiki').listWarnings === undefined);
    expect(listsOf(downstream)[0]).toEqual(['search', 'read']);
    expect(log.filter(({ event }) => event === 'server.list-refused')).toHaveLength(1);
  });

  it('is not served at all is complete without it', async () => {
    const { downstream } = await serving({
      'prompts/list': () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- a JSON-RPC error is no Error
        throw { code: -32601, message: 'Method not found' };
      },
    });
    expect(viewOf(downstream, 'wiki').listWarnings).toBeUndefined();
    expect(conditionOf(downstream, 'ListsComplete')).toBeUndefined();
  });

  it('ends with a cursor of a wrong type says so in its status and in the log', async () => {
    const { downstream, log } = await serving({
      'prompts/list': () => ({ prompts: [{ name: 'ask' }], nextCursor: 7 }),
    });
    const reason =
      'prompts/list: the list ends at page 1, because its nextCursor is of type number, not string';
    expect(listsOf(downstream)).toEqual(COMPLETE);
    expect(conditionOf(downstream, 'ListsComplete')?.message).toBe(`${reason}.`);
    expect(log).toContainEqual({
      level: 'warn',
      server: 'wiki',
      event: 'server.list-refused',
      list: 'prompts/list',
      reason,
    });
  });
});

describe('a server of which all lists fail', () => {
  it('fails with the reason of the tools', async () => {
    const { downstream } = await serving(
      Object.fromEntries(PLACES.map((method) => [method, failing])),
    );
    expect(viewOf(downstream, 'wiki')).toMatchObject({
      state: 'Failed',
      reason: 'tools/list: the disk is gone',
    });
  });
});

describe('a tool without a usable inputSchema', () => {
  it('is named in the condition, the status, the event and the log', async () => {
    const tools = [
      { name: 'search', inputSchema: schema },
      { name: 'read' },
      { name: 'write', inputSchema: null },
      { name: 'drop', inputSchema: true },
    ];
    const { downstream, log, events } = await serving({ 'tools/list': () => ({ tools }) });
    const reason =
      '3 tools are left out: read (it has no inputSchema), write (its inputSchema is null, not an object), drop (its inputSchema is a boolean, not an object)';
    expect(conditionOf(downstream, 'ToolsDiscovered')).toMatchObject({
      status: 'True',
      reason: 'ToolsListed',
      message: `The server lists 1 tool. ${reason}.`,
    });
    expect(viewOf(downstream, 'wiki').listWarnings).toEqual([
      'tool read is left out: it has no inputSchema',
      'tool write is left out: its inputSchema is null, not an object',
      'tool drop is left out: its inputSchema is a boolean, not an object',
    ]);
    expect(events).toContainEqual({
      reason: 'MCPServerToolsDiscovered',
      name: 'wiki',
      namespace: 'default',
      tools: 1,
      omitted: reason,
    });
    expect(log).toContainEqual({
      level: 'warn',
      server: 'wiki',
      event: 'server.entry-refused',
      list: 'tools/list',
      count: 3,
      reason,
    });
  });
});

describe('a list of a user', () => {
  it('that fails does not affect the others, and is read again', async () => {
    const ada = user('ada');
    const part = breakable('resources/list', failing);
    const http = await startProtectedHttp(['ada-1'], {
      capabilities: ALL,
      methods: { ...ANSWERS, ...part.method },
    });
    const credentials = testCredentials();
    const { downstream } = testDownstream({ credentials });
    downstream.apply([oauthServer('notes', http.url)]);
    await downstream.settled();
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
    const inventory = () => downstream.inventoriesFor(ada)?.[0];
    expect(inventory()).toMatchObject({ tools: [{ name: 'search' }], resources: [] });
    expect(downstream.userServers(ada)).toMatchObject([
      { status: 'connected', listWarnings: ['resources/list: the disk is gone'] },
    ]);
    part.repair();
    await eventually('it is read', () => inventory()?.resources.length === 1);
    expect(downstream.userServers(ada)[0]).not.toHaveProperty('listWarnings');
  });
});
