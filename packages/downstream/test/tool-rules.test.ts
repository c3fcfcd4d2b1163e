import type { JsonObject } from '@gateway/call-contract';
import type { ServerTool } from '@gateway/catalog';
import type { McpServer } from '@gateway/crd-schemas';
import { findSourceText, storeSourceText } from '@gateway/mcp-wire';
import { describe, expect, it } from 'vitest';
import { parseToolEntry } from '../src/lists/list-entry.ts';
import { toDownstreamError } from '../src/requests/requests.ts';
import { applyToolRules, findSetArguments, setArguments } from '../src/wire/tool-rules.ts';
import { eventually, failed, running, viewOf } from './harness/downstream.ts';
import { defineServer, stdioFixture } from './harness/servers.ts';

const serverWith = (...tools: readonly object[]): McpServer =>
  defineServer('files', { type: 'stdio', command: 'run', tools });

const toolOf = (entry: JsonObject): ServerTool => {
  const parsed = parseToolEntry({ inputSchema: { type: 'object' }, ...entry });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.item;
};

const SCHEMA = {
  type: 'object',
  properties: { path: { type: 'string' }, tail: { type: 'integer' } },
  required: ['path', 'tail'],
  additionalProperties: false,
};

const READ = toolOf({
  name: 'read_file',
  title: 'Read',
  description: 'Reads.',
  inputSchema: SCHEMA,
  annotations: { readOnlyHint: false, openWorldHint: true },
  icons: [{ src: 'data:,' }],
});

/** The tool as the rules show it. */
const shown = (tool: ServerTool, ...rules: readonly object[]): ServerTool | undefined =>
  applyToolRules(serverWith(...rules), [tool])[0];

describe('spec.tools changes what a server lists', () => {
  it('nothing without entries, and nothing of the tools that no entry names', () => {
    const tools = [READ];
    const plain = defineServer('files', { type: 'stdio', command: 'run' });
    expect(applyToolRules(plain, tools)).toBe(tools);
    expect(shown(READ, { name: 'write_file', description: 'Other.' })).toBe(READ);
    expect(shown(READ, { pattern: 'read-*', title: 'Other' })).toBe(READ);
    expect(shown(READ, { name: 'read_file', limits: { concurrency: 1 } })).toBe(READ);
  });

  it('title, description and single hints, also in the entry that native clients receive', () => {
    const rule = {
      pattern: 'read_*',
      title: 'Logs',
      description: 'Reads logs.',
      annotations: { readOnlyHint: true },
    };
    const changes = {
      title: 'Logs',
      description: 'Reads logs.',
      inputSchema: SCHEMA,
      annotations: { readOnlyHint: true, openWorldHint: true },
    };
    expect(shown(READ, rule)).toEqual({
      name: 'read_file',
      ...changes,
      changed: ['title', 'description', 'annotations.readOnlyHint'],
      listed: { name: 'read_file', icons: [{ src: 'data:,' }], ...changes },
    });
  });

  it('hidden tools are not there; a name wins over a pattern, whatever their order', () => {
    expect(shown(READ, { pattern: '*', hidden: true })).toBeUndefined();
    const kept = [
      { name: 'read_file', hidden: false },
      { pattern: '*', hidden: true },
    ];
    expect(shown(READ, ...kept)).toBe(READ);
    expect(shown(READ, { pattern: '*', hidden: true }, { pattern: 'read_*', title: 'T' })).toBe(
      undefined,
    );
  });

  it('member by member: the later entry wins, and other members of earlier ones stay', () => {
    const changed = shown(
      READ,
      { name: 'read_file', title: 'By name' },
      { pattern: '*', title: 'All', description: 'All.', defaults: { path: '/' } },
      { pattern: 'read_*', description: 'Reads.', defaults: { tail: 1 } },
    );
    expect(changed).toMatchObject({ title: 'By name', description: 'Reads.' });
    expect(changed?.changed).toEqual(['title', 'description', 'defaults.path', 'defaults.tail']);
  });

  it('a tool is read-only by an entry with readOnlyHint: true alone, not by any other change', () => {
    const other = { title: 'T', description: 'Reads only.', defaults: { tail: 1 } };
    expect(shown(READ, { pattern: '*', ...other })?.annotations?.readOnlyHint).toBe(false);
    const set = { ...other, annotations: { readOnlyHint: true } };
    expect(shown(READ, { pattern: '*', ...set })?.annotations?.readOnlyHint).toBe(true);
  });

  it('keeps the object of a tool that other definitions change in the same way', () => {
    const rule = { pattern: '*', title: 'T' };
    expect(shown(READ, rule)).toBe(shown(READ, rule, { name: 'other', hidden: true }));
    expect(shown(READ, rule)).not.toBe(shown(READ, rule, { name: 'read_file', title: 'U' }));
  });

  it('all of 5,000 tools by one pattern', () => {
    const tools = Array.from({ length: 5_000 }, (_, at) => toolOf({ name: `tool_${String(at)}` }));
    const changed = applyToolRules(serverWith({ pattern: 'tool_*', description: 'D' }), tools);
    expect(new Set(changed.map(({ description }) => description))).toEqual(new Set(['D']));
    expect(changed).toHaveLength(5_000);
  });
});

describe('arguments that spec.tools sets are no part of the schema', () => {
  const schemaOf = (inputSchema: JsonObject, ...names: readonly string[]) => {
    const defaults = Object.fromEntries(names.map((name) => [name, 1]));
    return shown(toolOf({ name: 't', inputSchema }), { name: 't', defaults })?.inputSchema;
  };

  it('neither of its properties nor of the required ones', () => {
    expect(schemaOf(SCHEMA, 'path')).toEqual({
      type: 'object',
      properties: { tail: { type: 'integer' } },
      required: ['tail'],
      additionalProperties: false,
    });
  });

  it.each([
    ['without properties', { type: 'object' }, { type: 'object' }],
    [
      'with properties that are no schemas',
      { properties: ['path'], required: 'path', allOf: 7 },
      { properties: ['path'], required: 'path', allOf: 7 },
    ],
    [
      'in parts',
      { anyOf: [{ required: ['path'] }, { required: ['url'] }, true], not: { required: ['path'] } },
      { anyOf: [{ required: [] }, { required: ['url'] }, true], not: { required: ['path'] } },
    ],
    [
      'of a definition that other places use too',
      {
        $ref: '#/$defs/Node',
        $defs: { Node: { properties: { path: {}, child: { $ref: '#/$defs/Node' } } } },
      },
      {
        properties: { child: { $ref: '#/$defs/Node' } },
        $defs: { Node: { properties: { path: {}, child: { $ref: '#/$defs/Node' } } } },
      },
    ],
    [
      'of definitions that lead nowhere or do not have them',
      {
        allOf: [{ $ref: '#/$defs/No' }, { $ref: 'https://example.com' }, { $ref: '#/$defs/Other' }],
        $defs: { Other: {} },
      },
      {
        allOf: [{ $ref: '#/$defs/No' }, { $ref: 'https://example.com' }, { $ref: '#/$defs/Other' }],
        $defs: { Other: {} },
      },
    ],
    [
      'that refers to itself',
      { $ref: '#', properties: { path: {}, tail: {} } },
      { $ref: '#', properties: { tail: {} } },
    ],
  ])('of a schema %s', (_what, before, after) => {
    expect(schemaOf(before, 'path')).toEqual(after);
  });

  it('whatever their names are', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"},"constructor":{},"a":{}},"required":["__proto__","constructor"]}',
    ) as JsonObject;
    const server = JSON.parse(
      '{"name":"t","defaults":{"__proto__":"x","constructor":1}}',
    ) as JsonObject;
    const tool = toolOf({ name: 't', inputSchema: schema });
    expect(JSON.stringify(applyToolRules(serverWith(server), [tool])[0]?.inputSchema)).toBe(
      '{"properties":{"a":{}},"required":[]}',
    );
  });
});

describe('arguments that spec.tools sets', () => {
  /** The arguments of a call as a server receives them: their text. */
  const received = (text: string | undefined, ...rules: readonly object[]): string => {
    const set = findSetArguments(serverWith(...rules), 'read_file');
    if (set === undefined) throw new Error('no arguments are set');
    const given = text === undefined ? {} : storeSourceText(JSON.parse(text) as JsonObject, text);
    const filled = setArguments(given, set);
    const sent = findSourceText(filled) ?? JSON.stringify(filled);
    expect(JSON.parse(sent)).toEqual(filled);
    return sent;
  };
  const rule = { name: 'read_file', defaults: { path: '/data', opts: { deep: [null] } } };

  it('are in every call, and the others keep their text', () => {
    expect(received('{ "tail": 1.0e0 }', rule)).toBe(
      '{ "tail": 1.0e0 ,"path":"/data","opts":{"deep":[null]}}',
    );
    expect(received(undefined, rule)).toBe('{"path":"/data","opts":{"deep":[null]}}');
  });

  it('take the place of those of the caller, however they are written', () => {
    expect(
      received('{"path":"/etc","tail":2,"\\u0070ath":"/root","path":"/x"}', {
        name: 'read_file',
        defaults: { path: '/data' },
      }),
    ).toBe('{"tail":2,"path":"/data"}');
  });

  it('may have any name', () => {
    const hostile = JSON.parse('{"name":"read_file","defaults":{"__proto__":1}}') as JsonObject;
    expect(received('{"a":1,"__proto__":{"x":2}}', hostile)).toBe('{"a":1,"__proto__":1}');
  });

  it('are none without entries that set some', () => {
    const titled = serverWith({ name: 'read_file', title: 'T' });
    expect(findSetArguments(titled, 'read_file')).toBeUndefined();
    expect(findSetArguments(serverWith(rule), 'other')).toBeUndefined();
    expect(findSetArguments(serverWith(rule), undefined)).toBeUndefined();
  });
});

const TOKEN = { name: 'token', secretKeyRef: { name: 'api', key: 'token' } };
const SECRET = 'canary-91c4';
const READABLE = { 'Secret/api/token': { ok: true, text: SECRET } } as const;
const ABSENT = {
  'Secret/api/token': {
    ok: false,
    code: 'absent',
    reason: 'the key "token" of Secret default/api does not exist',
  },
} as const;

const raw = (tools: readonly object[]): McpServer =>
  stdioFixture('raw', 'raw-stdio.mjs', ['--tools=2'], { tools });

const withTexts = (
  server: McpServer,
  toolArguments: NonNullable<NonNullable<McpServer['referenced']>['toolArguments']>,
): McpServer => ({ ...server, referenced: { values: {}, toolArguments } });

it('an error of a server does not repeat a value that it received as an argument', () => {
  const definition = withTexts(raw([{ pattern: '*', defaultsFrom: [TOKEN] }]), READABLE);
  const errorOf = (message: string, data?: unknown) =>
    toDownstreamError(
      { kind: 'refused', rpcCode: -32602, message, ...(data !== undefined && { data }) },
      { definition, requiresAuth: false },
    );
  expect(errorOf(`bad token ${SECRET}`, { a: 1 })).toMatchObject({
    message: 'bad token [redacted]',
  });
  expect(errorOf('bad token', { given: [SECRET] })).not.toHaveProperty('data');
  expect(errorOf('bad\ntoken', { a: 1 })).toMatchObject({
    message: 'bad\ntoken',
    data: { a: 1 },
  });
});

describe('a running server', () => {
  it('shows other rules at once, over the same connection', async () => {
    const { downstream } = await running([raw([])]);
    const names = () => downstream.inventories()[0]?.tools.map(({ name }) => name);
    const { connectionId } = viewOf(downstream, 'raw');
    expect(names()).toEqual(['tool_0', 'tool_1']);
    let changes = 0;
    downstream.onChange(() => (changes += 1));
    downstream.apply([
      withTexts(
        raw([
          { name: 'tool_1', hidden: true },
          { name: 'tool_0', defaultsFrom: [TOKEN] },
        ]),
        READABLE,
      ),
    ]);
    await eventually('it is shown', () => changes > 0);
    expect(names()).toEqual(['tool_0']);
    downstream.apply([raw([])]);
    expect(names()).toEqual(['tool_0', 'tool_1']);
    expect(viewOf(downstream, 'raw')).toMatchObject({ state: 'Running', connectionId });
  });

  it('compares what the server declares, not what an entry says', async () => {
    const { downstream, events } = await running([raw([])], { pinToolHints: true });
    const list = (annotations: object) =>
      downstream.callTool({
        server: 'raw',
        tool: 'rename',
        arguments: { tools: [{ name: 'a', inputSchema: { type: 'object' }, annotations }] },
      });
    const hint = () => downstream.inventories()[0]?.tools[0]?.annotations?.readOnlyHint;
    await list({ readOnlyHint: false });
    await eventually('it is listed', () => hint() === false);
    downstream.apply([raw([{ name: 'a', description: 'Reads.' }])]);
    await list({ readOnlyHint: true });
    await eventually('it is reported', () =>
      events.some(({ reason }) => reason === 'MCPServerToolHintWidened'),
    );
    expect(hint()).toBe(false);
    downstream.apply([raw([{ name: 'a', annotations: { readOnlyHint: true } }])]);
    expect(hint()).toBe(true);
    expect(viewOf(downstream, 'raw').toolChanges).toMatchObject([{ tool: 'a', held: true }]);
  });

  it('receives values of Secrets in calls, which are nowhere else', async () => {
    const server = raw([{ pattern: '*', defaultsFrom: [TOKEN], defaults: { a: 1 } }]);
    const { downstream, log, events } = await running([withTexts(server, READABLE)]);
    const call = (tool: string) =>
      downstream.callTool({ server: 'raw', tool, arguments: { token: 'own', b: 2 } });
    expect(await call('params')).toMatchObject({
      result: { params: { arguments: { a: 1, b: 2, token: SECRET } } },
    });
    expect(
      JSON.stringify([log, events, downstream.inventories(), viewOf(downstream, 'raw').status]),
    ).not.toContain(SECRET);
  });

  it('does not answer a call whose value is missing, unless it is optional; other tools answer', async () => {
    const optional = { ...TOKEN, secretKeyRef: { ...TOKEN.secretKeyRef, optional: true } };
    const tools = [
      { name: 'seen', defaultsFrom: [TOKEN] },
      { name: 'params', defaultsFrom: [optional] },
    ];
    const { downstream } = await running([withTexts(raw(tools), ABSENT)]);
    const call = (tool: string) =>
      downstream.callTool({ server: 'raw', tool, arguments: { token: 'own' } });
    expect(await call('seen')).toEqual(
      failed('tool.value-missing', {
        tool: 'seen',
        argument: 'token',
        reason: 'the key "token" of Secret default/api does not exist',
      }),
    );
    expect(await call('params')).toMatchObject({ ok: true, result: { params: { arguments: {} } } });
    expect(await downstream.readResource({ server: 'raw', uri: 'raw://one' })).toMatchObject({
      ok: true,
    });
    expect(viewOf(downstream, 'raw').state).toBe('Running');
  });
});
