import type { JsonObject } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { formatWarning, type CatalogSnapshot } from '../src/index.ts';
import { catalogOf, member, names, server, serverTool } from './inventories.ts';
import { requirement } from './requirement.ts';

const textsOf = (snapshot: CatalogSnapshot): readonly string[] =>
  snapshot.warnings.map(formatWarning);

const json = (text: string): JsonObject => JSON.parse(text) as JsonObject;

requirement('2.6/family-surface', () => {
  it('serves a tool of several members once', () => {
    const snapshot = catalogOf(member('b', ['get']), member('a', ['get', 'own']));
    expect(names(snapshot.tools)).toEqual(['x_k8s_get', 'x_k8s_own']);
    expect(snapshot.tool('x_k8s_get')?.providers).toEqual([
      { server: 'a', serverTool: 'get' },
      { server: 'b', serverTool: 'get' },
    ]);
    expect(snapshot.tool('x_k8s_get')?.description).toBe('Does get. (available on servers: a, b)');
    expect(snapshot.tool('x_k8s_own')?.providers).toEqual([{ server: 'a', serverTool: 'own' }]);
    expect(snapshot.warnings).toEqual([]);
  });

  it('is found by the family and by each member that provides the tool', () => {
    const snapshot = catalogOf(member('b', ['get']), member('a', ['get', 'own']));
    expect(names(snapshot.toolsOfServer('k8s'))).toEqual(['x_k8s_get', 'x_k8s_own']);
    expect(names(snapshot.toolsOfServer('a'))).toEqual(['x_k8s_get', 'x_k8s_own']);
    expect(names(snapshot.toolsOfServer('b'))).toEqual(['x_k8s_get']);
    expect(snapshot.toolsOfServer('c')).toEqual([]);
  });

  it('leaves servers of other families and of none alone', () => {
    const other = server('o', ['get'], { family: { name: 'vm', instanceArg: 'host' } });
    const snapshot = catalogOf(member('a', ['get']), server('s', ['get']), other);
    expect(names(snapshot.tools)).toEqual(['x_s_get', 'x_k8s_get', 'x_vm_get']);
  });

  it('may be named like a member', () => {
    const snapshot = catalogOf(member('k8s', ['get']), member('z', ['get']));
    expect(names(snapshot.toolsOfServer('k8s'))).toEqual(['x_k8s_get']);
  });

  it('follows its members as they leave', () => {
    const snapshot = catalogOf(member('a', ['get']));
    expect(snapshot.tool('x_k8s_get')?.providers).toEqual([{ server: 'a', serverTool: 'get' }]);
    expect(catalogOf().tool('x_k8s_get')).toBeUndefined();
  });
});

requirement('2.6/family-instance-arg', () => {
  it('adds the argument to the schema, required, with the members that provide the tool', () => {
    const inputSchema = {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    };
    const get = serverTool('get', { inputSchema });
    const tool = catalogOf(member('b', [get]), member('a', [get]), member('c', [])).tools[0];
    expect(tool?.instanceArg).toBe('cluster');
    expect(tool?.inputSchema).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string' },
        cluster: {
          type: 'string',
          description: 'Target instance to execute this tool on. Available: a, b',
          enum: ['a', 'b'],
        },
      },
      required: ['name', 'cluster'],
    });
  });

  it('does not touch what the servers gave', () => {
    const inputSchema = json('{"type":"object","properties":{"a":{}},"required":["a"]}');
    catalogOf(member('a', [serverTool('get', { inputSchema })]));
    expect(inputSchema).toEqual({ type: 'object', properties: { a: {} }, required: ['a'] });
  });

  it('preserves all other members of a schema, including open keys', () => {
    const inputSchema = json(
      '{"$ref":"#/$defs/A","$defs":{"A":{"type":"object"}},"x":1,"properties":{"__proto__":{"type":"number"},"constructor":{}}}',
    );
    const tool = catalogOf(member('a', [serverTool('get', { inputSchema })])).tools[0];
    expect(JSON.stringify(tool?.inputSchema)).toBe(
      '{"$ref":"#/$defs/A","$defs":{"A":{"type":"object"}},"x":1,"properties":{"__proto__":{"type":"number"},"constructor":{},"cluster":{"type":"string","description":"Target instance to execute this tool on. Available: a","enum":["a"]}},"required":["cluster"]}',
    );
    expect(tool?.inputSchema['$defs']).toBe(inputSchema['$defs']);
  });

  it('survives schemas that are not of objects, or broken', () => {
    for (const text of ['{}', '{"type":"string"}', '{"properties":[],"required":"all"}']) {
      const tool = catalogOf(member('a', [serverTool('get', { inputSchema: json(text) })]))
        .tools[0];
      expect(tool?.inputSchema['required']).toEqual(['cluster']);
    }
  });

  it('may be called __proto__', () => {
    const family = { name: 'k8s', instanceArg: '__proto__' };
    const tool = catalogOf(server('a', ['get'], { family })).tools[0];
    expect(JSON.stringify(tool?.inputSchema)).toBe(
      '{"type":"object","properties":{"__proto__":{"type":"string","description":"Target instance to execute this tool on. Available: a","enum":["a"]}},"required":["__proto__"]}',
    );
  });

  it('is absent from a tool of a single server', () =>
    expect(catalogOf(server('s', ['get'])).tools[0]?.instanceArg).toBeUndefined());
});

requirement('2.6/family-single-instance', () => {
  it('requires the argument of a family of one', () => {
    const tool = catalogOf(member('a', ['get'])).tools[0];
    expect(tool?.inputSchema['required']).toEqual(['cluster']);
    expect(tool?.providers).toEqual([{ server: 'a', serverTool: 'get' }]);
  });
});

requirement('2.6/family-divergence', () => {
  it('serves the whole family per server, even when no tool is common, and warns once', () => {
    const family = { name: 'k8s', instanceArg: 'instance' };
    const snapshot = catalogOf(
      member('a', ['get', 'list']),
      server('b', ['put'], { family, toolPrefix: 'bee' }),
    );
    expect(names(snapshot.tools)).toEqual(['x_a_get', 'x_a_list', 'x_bee_put']);
    expect(snapshot.toolsOfServer('k8s')).toEqual([]);
    expect(textsOf(snapshot)).toEqual([
      'family "k8s" is served per server: its members disagree on instanceArg ("cluster", "instance"; servers "a", "b")',
    ]);
  });

  it('serves it as one again when they agree', () => {
    const snapshot = catalogOf(member('a', ['get']), member('b', ['put']));
    expect(names(snapshot.tools)).toEqual(['x_k8s_get', 'x_k8s_put']);
    expect(snapshot.warnings).toEqual([]);
  });
});

describe('a tool that a family cannot share', () => {
  it('is served per server when its descriptions differ, and only it', () => {
    const snapshot = catalogOf(
      member('a', [serverTool('get', { description: 'One.' }), 'list']),
      member('b', [serverTool('get', { description: 'Two.' }), 'list'], { toolPrefix: 'bee' }),
    );
    expect(names(snapshot.tools)).toEqual(['x_a_get', 'x_bee_get', 'x_k8s_list']);
    expect(snapshot.tool('x_a_get')?.server).toBe('a');
    expect(names(snapshot.toolsOfServer('b'))).toEqual(['x_bee_get', 'x_k8s_list']);
    expect(textsOf(snapshot)).toEqual([
      'tool "get" of family "k8s" is served per server: its members describe it differently (servers "a", "b")',
    ]);
  });

  it('is served per server when its input schemas differ', () => {
    const withSchema = (text: string) => [serverTool('get', { inputSchema: json(text) })];
    const snapshot = catalogOf(
      member('a', withSchema('{"type":"object"}')),
      member('b', withSchema('{"type":"object","properties":{}}')),
    );
    expect(names(snapshot.tools)).toEqual(['x_a_get', 'x_b_get']);
    expect(textsOf(snapshot)).toEqual([
      'tool "get" of family "k8s" is served per server: its members give it different input schemas (servers "a", "b")',
    ]);
    const sameButOrder = catalogOf(
      member('a', withSchema('{"type":"object","properties":{"a":{},"b":{}}}')),
      member('b', withSchema('{"properties":{"b":{},"a":{}},"type":"object"}')),
    );
    expect(names(sameButOrder.tools)).toEqual(['x_k8s_get']);
  });

  it.each([
    '{"properties":{"cluster":{}}}',
    '{"required":["cluster"]}',
    '{"allOf":[{"anyOf":[{"properties":{"cluster":{}}}]}]}',
    '{"$ref":"#/$defs/a~1b","$defs":{"a/b":{"properties":{"cluster":{}}}}}',
  ])('is served per server when %s already has the instance argument', (text) => {
    const get = serverTool('get', { inputSchema: json(text) });
    const snapshot = catalogOf(member('a', [get]));
    expect(names(snapshot.tools)).toEqual(['x_a_get']);
    expect(textsOf(snapshot)).toEqual([
      'tool "get" of family "k8s" is served per server: it already has an argument "cluster" (servers "a")',
    ]);
  });

  it.each([
    '{"properties":{"Cluster":{},"of":{"properties":{"cluster":{}}}}}',
    '{"$defs":{"A":{"properties":{"cluster":{}}}}}',
    '{"$ref":"#","properties":{}}',
    '{"$ref":"https://example.com/schema"}',
    '{"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}},"$ref":"#/$defs/A"}',
  ])('is shared when %s only mentions it elsewhere', (text) => {
    const get = serverTool('get', { inputSchema: json(text) });
    expect(names(catalogOf(member('a', [get])).tools)).toEqual(['x_k8s_get']);
  });

  it('is served per server when its schemas nest too deep to be compared', () => {
    const deep = (depth: number) =>
      serverTool('get', { inputSchema: json('{"a":'.repeat(depth) + '1' + '}'.repeat(depth)) });
    const two = (depth: number) =>
      names(catalogOf(member('a', [deep(depth)]), member('b', [deep(depth)])).tools);
    expect(two(90)).toEqual(['x_k8s_get']);
    expect(two(5_000)).toEqual(['x_a_get', 'x_b_get']);
  });
});

describe('other differences between members', () => {
  const tools = (...all: readonly Partial<ReturnType<typeof serverTool>>[]) =>
    catalogOf(...all.map((one, index) => member(`m${index}`, [serverTool('get', one)]))).tools[0];

  it('is read-only only when every member is', () => {
    const annotations = { readOnlyHint: true };
    expect(tools({ annotations }, { annotations })?.annotations).toEqual({ readOnlyHint: true });
    expect(tools({ annotations }, {})?.annotations).toBeUndefined();
    expect(tools({ annotations }, { annotations: { readOnlyHint: false } })?.annotations).toBe(
      undefined,
    );
  });

  it('has another hint only when it is equal for all members', () =>
    expect(
      tools(
        { annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true } },
        { annotations: { destructiveHint: false, idempotentHint: false } },
      )?.annotations,
    ).toEqual({ destructiveHint: false }));

  it('shows what the resource of any member changed', () => {
    const changed = ['title', 'defaults.path'];
    expect(tools({ changed }, { changed: ['defaults.path', 'description'] }, {})?.changed).toEqual([
      ...changed,
      'description',
    ]);
    expect(tools({}, {})).not.toHaveProperty('changed');
  });

  it('has a title and an output schema only when they are equal for all members', () => {
    const outputSchema = { type: 'object' };
    expect(tools({ title: 'Get', outputSchema }, { title: 'Get', outputSchema })).toMatchObject({
      title: 'Get',
      outputSchema: { type: 'object' },
    });
    const differing = tools({ title: 'Get', outputSchema }, { title: 'Got' });
    expect(differing && 'title' in differing).toBe(false);
    expect(differing && 'outputSchema' in differing).toBe(false);
  });
});
