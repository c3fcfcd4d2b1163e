import type { ListMethod } from '@gateway/mcp-wire';
import {
  Client as ClientOfGeneration2,
  StreamableHTTPClientTransport as HttpOfGeneration2,
} from '@modelcontextprotocol/client';
import { Client as ClientOfGeneration1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpOfGeneration1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '@gateway/call-contract';
import { createMcpHttp, serveHttp, type McpService } from '../src/index.ts';
import { toListEntry } from '../src/protocol/lists.ts';

type Lists = Partial<Record<ListMethod, readonly JsonObject[]>>;

const INFO = { name: 'test', version: '1' };
const schema = { type: 'object' };

const serve = async (lists: Lists): Promise<URL> => {
  const service: McpService = {
    info: INFO,
    capabilities: { tools: {}, resources: {}, prompts: {} },
    list: (method) => ({ ok: true, items: lists[method] ?? [] }),
    call: () => ({ ok: true, result: { content: [] } }),
  };
  const mcp = createMcpHttp(service, {});
  const serving = await serveHttp({ host: '127.0.0.1', port: 0, mcp });
  onTestFinished(() => serving.drain(0));
  return new URL(`${serving.url}/mcp`);
};

const generation1 = async (url: URL) => {
  const client = new ClientOfGeneration1(INFO);
  await client.connect(new HttpOfGeneration1(url));
  return client;
};

const generation2 = (mode: 'legacy' | { readonly pin: string }) => async (url: URL) => {
  const client = new ClientOfGeneration2(INFO, { versionNegotiation: { mode } });
  await client.connect(new HttpOfGeneration2(url));
  return client;
};

const CLIENTS = [
  ['of generation 1', generation1],
  ['of generation 2 in 2025-11-25', generation2('legacy')],
  ['of generation 2 in 2026-07-28', generation2({ pin: '2026-07-28' })],
] as const;

/** Values of every type, one of which is wrong wherever a member has a type. */
const ODD = [null, true, 7, 'text', [], [null], {}, { a: null }, [7], [{}]];

const oddEntries = (base: JsonObject, members: readonly string[]): readonly JsonObject[] =>
  members.flatMap((member) => ODD.map((value) => ({ ...base, [member]: value })));

const RESOURCE_MEMBERS = [
  ...['title', 'description', 'mimeType', 'size', 'annotations', 'icons', '_meta'],
];
const ICONS = [{ src: 7 }, { src: 'a:b', theme: 'pink' }, { src: 'a:b', sizes: '1x1' }];
const ANNOTATIONS = [
  { audience: 'user' },
  { audience: ['robot'] },
  { priority: 5 },
  { priority: '1' },
  { lastModified: 'yesterday' },
  { lastModified: '2026-02-30T00:00:00Z' },
  { lastModified: '2026-01-01T00:00:00' },
];
const OUTPUTS = [
  { type: 'array', items: { type: 'string' } },
  { type: 'string', pattern: '[' },
  { anyOf: [{ type: 'object' }, { type: 'array' }] },
  { type: 'object', properties: { a: { $ref: '#/$defs/none' } } },
  { type: 'object', properties: { a: { $ref: 'https://example.org/none' } } },
  { type: 'object', properties: { a: { type: 'any' } } },
  { type: 'object', properties: { a: { nullable: true } } },
  { type: 'object', properties: { a: { id: 'a' } } },
  { type: 'object', properties: { a: { properties: { b: null } } } },
  { type: 'object', properties: { a: { enum: [] } } },
  { type: 'object', properties: { a: { maximum: 5, exclusiveMaximum: true } } },
  { type: 'object', properties: { a: { required: true } } },
  { type: 'object', properties: { a: { items: null } } },
  { type: 'object', patternProperties: { '[': {} } },
  { type: 'object', allOf: {} },
  { type: 'object', $async: true },
  { type: 'object', $id: 7 },
  { type: 'object', $schema: 7 },
  { type: 'object', $schema: 'https://json-schema.org/draft/2020-12/schema' },
];
const odd = (values: readonly unknown[], member: string, base: JsonObject) =>
  values.map((value) => ({ ...base, [member]: value }));

const tool = { name: 'odd', inputSchema: schema };
const lists: Lists = {
  'tools/list': [
    ...oddEntries(tool, [
      ...['title', 'description', 'inputSchema', 'outputSchema', 'annotations', 'execution'],
      ...['icons', '_meta'],
    ]),
    ...oddEntries(tool, ['inputSchema']).map((entry) => ({
      ...tool,
      inputSchema: { ...schema, properties: { a: entry['inputSchema'] } },
    })),
    ...odd(
      ODD.flatMap((value) => [
        { ...schema, properties: value },
        { ...schema, required: value },
        { ...schema, $schema: value },
      ]),
      'inputSchema',
      tool,
    ),
    ...odd(OUTPUTS, 'outputSchema', tool),
    ...odd([{ readOnlyHint: 'yes' }, { title: 7 }], 'annotations', tool),
    ...odd([[ICONS[0]], ICONS], 'icons', tool),
    { ...tool, execution: { taskSupport: 'sometimes' } },
    { name: 'good', inputSchema: schema },
  ],
  'resources/list': [
    ...oddEntries({ uri: 'a:b', name: 'odd' }, RESOURCE_MEMBERS),
    ...odd(ANNOTATIONS, 'annotations', { uri: 'a:b', name: 'odd' }),
    ...odd([Infinity, NaN], 'size', { uri: 'a:b', name: 'odd' }),
    { uri: 'a:good', name: 'good' },
  ],
  'resources/templates/list': [
    ...oddEntries({ uriTemplate: 'a:{b}', name: 'odd' }, RESOURCE_MEMBERS),
    ...odd(ANNOTATIONS, 'annotations', { uriTemplate: 'a:{b}', name: 'odd' }),
    { uriTemplate: 'a:{good}', name: 'good' },
  ],
  'prompts/list': [
    ...oddEntries({ name: 'odd' }, ['title', 'description', 'arguments', 'icons', '_meta']),
    { name: 'odd', arguments: [{ name: 7 }, { required: true }, { name: 'a', required: 'yes' }] },
    { name: 'good' },
  ],
};

describe.each(CLIENTS)('a client %s', (_title, connect) => {
  it('accepts every list, whatever one entry contains', async () => {
    const client = await connect(await serve(lists));
    const names = [
      (await client.listTools()).tools,
      (await client.listResources()).resources,
      (await client.listResourceTemplates()).resourceTemplates,
      (await client.listPrompts()).prompts,
    ].map((entries) => [entries.length, entries.at(-1)?.name]);
    const sizes = Object.values(lists).map(({ length }) => length);
    expect(names).toEqual(sizes.map((size) => [size, 'good']));
    await client.close();
  });
});

describe('the schema of a property', () => {
  const properties = { any: true, none: false, nothing: null, some: { type: 'string' } };
  const entry = { ...tool, inputSchema: { ...schema, properties, required: ['any', 7] } };

  it('is an object for the 2025 revisions', () => {
    expect(toListEntry('tools/list', entry, 'legacy')['inputSchema']).toEqual({
      type: 'object',
      properties: { any: {}, none: { not: {} }, nothing: {}, some: { type: 'string' } },
      required: ['any'],
    });
  });

  it('stays as it is for 2026-07-28', () => {
    expect(toListEntry('tools/list', entry, 'modern')).toBe(entry);
  });
});

describe('an output schema', () => {
  const output = (outputSchema: unknown, era: 'legacy' | 'modern') =>
    toListEntry('tools/list', { ...tool, outputSchema }, era)['outputSchema'];

  it('of arrays is that of "result" for the 2025 revisions, and stays as it is for 2026-07-28', () => {
    const array = { type: 'array', items: { $ref: '#/$defs/item' }, $defs: { item: schema } };
    expect(output(array, 'legacy')).toEqual({
      type: 'object',
      properties: {
        result: {
          type: 'array',
          items: { $ref: '#/properties/result/$defs/item' },
          $defs: { item: schema },
        },
      },
      required: ['result'],
    });
    expect(output(array, 'modern')).toBe(array);
  });

  it('of objects stays as it is for both', () => {
    const object = { ...schema, properties: { a: { type: 'string', pattern: '^a' } } };
    expect(output(object, 'legacy')).toBe(object);
    expect(output(object, 'modern')).toBe(object);
  });

  it('that a client of generation 1 cannot compile is left out for the 2025 revisions alone', () => {
    const broken = { ...schema, properties: { a: { pattern: '[' } } };
    expect(output(broken, 'legacy')).toBeUndefined();
    expect(output(broken, 'modern')).toBe(broken);
  });

  it.each([true, null, 'text', []])('%j is left out', (schemaOfOutput) => {
    expect(output(schemaOfOutput, 'legacy')).toBeUndefined();
    expect(output(schemaOfOutput, 'modern')).toBeUndefined();
  });
});

describe('annotations and icons', () => {
  it('keep what is valid, and unknown members', () => {
    const entry = {
      uri: 'a:b',
      name: 'n',
      annotations: { audience: ['user', 'robot'], priority: 5, lastModified: 'never', own: [1] },
      icons: [{ src: 'a:b', theme: 'pink' }, { theme: 'dark' }, 'c'],
      own: null,
    };
    expect(toListEntry('resources/list', entry, 'legacy')).toEqual({
      uri: 'a:b',
      name: 'n',
      annotations: { audience: ['user'], own: [1] },
      icons: [{ src: 'a:b' }],
      own: null,
    });
  });

  it('that are valid make no copy', () => {
    const entry = {
      uri: 'a:b',
      name: 'n',
      annotations: { audience: ['user'], priority: 1, lastModified: '2024-02-29T23:59:59.5+02:00' },
      icons: [{ src: 'a:b', mimeType: 'image/png', sizes: ['any'], theme: 'dark' }],
    };
    expect(toListEntry('resources/list', entry, 'legacy')).toBe(entry);
    expect(toListEntry('resources/list', entry, 'modern')).toBe(entry);
  });
});
