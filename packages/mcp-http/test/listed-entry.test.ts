import type { ListMethod } from '@gateway/mcp-wire';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '@gateway/call-contract';
import { toListEntry } from '../src/protocol/lists.ts';
import { CLIENTS } from './clients.ts';
import { serveEndpoint } from './endpoint.ts';

type Lists = Partial<Record<ListMethod, readonly JsonObject[]>>;

const schema = { type: 'object' };

/** Values of every type, one of which is wrong wherever a member has a type. */
const ODD = [null, true, 7, 'text', [], [null], {}, { a: null }, [7], [{}]];

const odd = (base: JsonObject, member: string, values: readonly unknown[] = ODD) =>
  values.map((value) => ({ ...base, [member]: value }));

const oddEntries = (base: JsonObject, members: string): readonly JsonObject[] =>
  members.split(' ').flatMap((member) => odd(base, member));

const RESOURCE_MEMBERS = 'title description mimeType size annotations icons _meta';
const TOOL_MEMBERS = 'title description inputSchema outputSchema annotations execution icons _meta';
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
const PROPERTIES = [
  { $ref: '#/$defs/none' },
  { $ref: 'https://example.org/none' },
  { type: 'any' },
  { nullable: true },
  { id: 'a' },
  { properties: { b: null } },
  { enum: [] },
  { maximum: 5, exclusiveMaximum: true },
  { required: true },
  { items: null },
];
const OUTPUTS = [
  { type: 'array', items: { type: 'string' } },
  { type: 'string', pattern: '[' },
  { anyOf: [{ type: 'object' }, { type: 'array' }] },
  ...PROPERTIES.map((a) => ({ type: 'object', properties: { a } })),
  { type: 'object', patternProperties: { '[': {} } },
  { type: 'object', allOf: {} },
  { type: 'object', $async: true },
  { type: 'object', $id: 7 },
  { type: 'object', $schema: 7 },
  { type: 'object', $schema: 'https://json-schema.org/draft/2020-12/schema' },
];
const INPUTS = ODD.flatMap((value) => [
  { ...schema, properties: { a: value } },
  { ...schema, properties: value },
  { ...schema, required: value },
  { ...schema, $schema: value },
]);

const tool = { name: 'odd', inputSchema: schema };
const resource = { uri: 'a:b', name: 'odd' };
const template = { uriTemplate: 'a:{b}', name: 'odd' };
const prompt = { name: 'odd' };
const lists: Lists = {
  'tools/list': [
    ...oddEntries(tool, TOOL_MEMBERS),
    ...odd(tool, 'inputSchema', INPUTS),
    ...odd(tool, 'outputSchema', OUTPUTS),
    ...odd(tool, 'annotations', [{ readOnlyHint: 'yes' }, { title: 7 }]),
    ...odd(tool, 'icons', [[ICONS[0]], ICONS]),
    ...odd(tool, 'execution', [{ taskSupport: 'sometimes' }]),
    { name: 'good', inputSchema: schema },
  ],
  'resources/list': [
    ...oddEntries(resource, RESOURCE_MEMBERS),
    ...odd(resource, 'annotations', ANNOTATIONS),
    ...odd(resource, 'size', [Infinity, NaN]),
    { uri: 'a:good', name: 'good' },
  ],
  'resources/templates/list': [
    ...oddEntries(template, RESOURCE_MEMBERS),
    ...odd(template, 'annotations', ANNOTATIONS),
    { uriTemplate: 'a:{good}', name: 'good' },
  ],
  'prompts/list': [
    ...oddEntries(prompt, 'title description arguments icons _meta'),
    ...odd(prompt, 'arguments', [
      [{ name: 7 }, { required: true }, { name: 'a', required: 'yes' }],
    ]),
    { name: 'good' },
  ],
};

it.each(CLIENTS)(
  'a client of $title accepts every list, whatever one entry contains',
  async ({ connect }) => {
    const endpoint = await serveEndpoint({
      info: { name: 'test', version: '1' },
      capabilities: { tools: {}, resources: {}, prompts: {} },
      list: (method) => ({ ok: true, items: lists[method] ?? [] }),
      call: () => ({ ok: true, result: { content: [] } }),
    });
    onTestFinished(() => endpoint.drain(0));
    const { client } = await connect(endpoint.url);
    const names = [
      (await client.listTools()).tools,
      (await client.listResources()).resources,
      (await client.listResourceTemplates()).resourceTemplates,
      (await client.listPrompts()).prompts,
    ].map((entries) => [entries.length, entries.at(-1)?.name]);
    expect(names).toEqual(Object.values(lists).map(({ length }) => [length, 'good']));
  },
);

it('the schema of a property is an object for the 2025 revisions, and stays as it is for 2026-07-28', () => {
  const properties = { any: true, none: false, nothing: null, some: { type: 'string' } };
  const entry = { ...tool, inputSchema: { ...schema, properties, required: ['any', 7] } };
  expect(toListEntry('tools/list', entry, 'legacy')['inputSchema']).toEqual({
    type: 'object',
    properties: { any: {}, none: { not: {} }, nothing: {}, some: { type: 'string' } },
    required: ['any'],
  });
  expect(toListEntry('tools/list', entry, 'modern')).toBe(entry);
});

describe('an output schema', () => {
  const output = (outputSchema: unknown, era: 'legacy' | 'modern') =>
    toListEntry('tools/list', { ...tool, outputSchema }, era)['outputSchema'];

  it('of arrays is that of "result" for the 2025 revisions, and stays as it is for 2026-07-28', () => {
    const $defs = { item: schema };
    const array = { type: 'array', items: { $ref: '#/$defs/item' }, $defs };
    const items = { $ref: '#/properties/result/$defs/item' };
    expect(output(array, 'legacy')).toEqual({
      type: 'object',
      properties: { result: { type: 'array', items, $defs } },
      required: ['result'],
    });
    expect(output(array, 'modern')).toBe(array);
  });

  it('of objects stays as it is for both', () => {
    const object = { ...schema, properties: { a: { type: 'string', pattern: '^a' } } };
    for (const era of ['legacy', 'modern'] as const) expect(output(object, era)).toBe(object);
  });

  it('that a client of generation 1 cannot compile is left out for the 2025 revisions alone', () => {
    const broken = { ...schema, properties: { a: { pattern: '[' } } };
    expect(output(broken, 'legacy')).toBeUndefined();
    expect(output(broken, 'modern')).toBe(broken);
  });

  it.each([true, null, 'text', []])('%j is left out', (value) => {
    for (const era of ['legacy', 'modern'] as const) expect(output(value, era)).toBeUndefined();
  });
});

describe('annotations and icons', () => {
  const named = { uri: 'a:b', name: 'n' };

  it('keep what is valid, and unknown members', () => {
    const time = { priority: 5, lastModified: 'never' };
    const annotations = { audience: ['user', 'robot'], ...time, own: [1] };
    const icons = [{ src: 'a:b', theme: 'pink' }, { theme: 'dark' }, 'c'];
    const entry = { ...named, annotations, icons, own: null };
    expect(toListEntry('resources/list', entry, 'legacy')).toEqual({
      ...named,
      annotations: { audience: ['user'], own: [1] },
      icons: [{ src: 'a:b' }],
      own: null,
    });
  });

  it('that are valid make no copy', () => {
    const lastModified = '2024-02-29T23:59:59.5+02:00';
    const annotations = { audience: ['user'], priority: 1, lastModified };
    const icons = [{ src: 'a:b', mimeType: 'image/png', sizes: ['any'], theme: 'dark' }];
    const entry = { ...named, annotations, icons };
    for (const era of ['legacy', 'modern'] as const)
      expect(toListEntry('resources/list', entry, era)).toBe(entry);
  });
});
