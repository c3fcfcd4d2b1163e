import { describe, expect, it } from 'vitest';
import {
  buildCatalog,
  toToolInfo,
  type ServerTool,
  type ToolAnnotations,
  type ToolInfo,
} from '../src/index.ts';
import { catalogOf, core, inputOf, member, server, serverTool, workflow } from './inventories.ts';
import { requirement } from './requirement.ts';

const infoOf = (rest: Partial<ServerTool>): ToolInfo =>
  toToolInfo(catalogOf(server('s', [serverTool('t', rest)])).tools[0]!, {
    description: 'summary',
    schema: false,
  });

const readOwnValue = buildCatalog(
  inputOf([member('a', ['get'])], {
    workflows: [workflow('w', { annotations: { readOnlyHint: true }, labels: { team: 'a' } })],
    coreTools: [core('core_c')],
  }),
).tools.map((tool) => toToolInfo(tool, { description: 'summary', schema: false }));

requirement('2.4/server', () => {
  it('is the owning server of a server tool', () => expect(infoOf({}).server).toBe('s'));

  it('is absent from workflows and core tools', () =>
    expect(readOwnValue.slice(1).map((info) => 'server' in info)).toEqual([false, false]));
});

requirement('2.4/server-of-family', () => {
  it('is the family', () => expect(readOwnValue[0]?.server).toBe('k8s'));
});

requirement('2.4/kind', () => {
  it('is tool, workflow or core', () =>
    expect(readOwnValue.map(({ kind }) => kind)).toEqual(['tool', 'workflow', 'core']));
});

requirement('2.4/annotations', () => {
  it('carries the hints that are set, false included', () =>
    expect(infoOf({ annotations: { readOnlyHint: false, destructiveHint: true } })).toEqual({
      name: 'x_s_t',
      summary: 'Does t.',
      server: 's',
      kind: 'tool',
      annotations: { readOnlyHint: false, destructiveHint: true },
    }));

  it('carries all four', () => {
    const annotations = {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    };
    expect(infoOf({ annotations }).annotations).toEqual(annotations);
  });

  it('carries the derived hint of a workflow', () =>
    expect(readOwnValue[1]).toEqual({
      name: 'workflow_w',
      labels: { team: 'a' },
      kind: 'workflow',
      annotations: { readOnlyHint: true },
    }));

  it('carries nothing else that a server puts there', () => {
    const annotations = { title: 'T', readOnlyHint: 'yes', openWorldHint: true };
    expect(infoOf({ annotations: annotations as unknown as ToolAnnotations }).annotations).toEqual({
      openWorldHint: true,
    });
  });
});

requirement('2.4/no-annotations', () => {
  it('leaves the key out when no hint is set', () => {
    expect('annotations' in infoOf({})).toBe(false);
    expect('annotations' in infoOf({ annotations: {} })).toBe(false);
    expect('annotations' in infoOf({ annotations: { title: 'T' } as ToolAnnotations })).toBe(false);
  });
});

describe('an entry', () => {
  const tool = catalogOf(server('s', [serverTool('t', { description: ' One.\nTwo.' })])).tools[0]!;

  it('has its keys in one order, and the score and schema when asked for', () =>
    expect(
      JSON.stringify(toToolInfo(tool, { description: 'full', schema: true, score: 1.5 })),
    ).toBe(
      '{"name":"x_s_t","description":" One.\\nTwo.","score":1.5,"server":"s","kind":"tool","inputSchema":{"type":"object"}}',
    ));

  it('has a summary in place of the description', () =>
    expect(toToolInfo(tool, { description: 'summary', schema: false })).toEqual({
      name: 'x_s_t',
      summary: 'One.',
      server: 's',
      kind: 'tool',
    }));

  it('has neither when there is none', () => {
    const bare = catalogOf(server('s', [{ name: 't', inputSchema: {} }])).tools[0]!;
    for (const description of ['full', 'summary'] as const) {
      expect(toToolInfo(bare, { description, schema: false })).toEqual({
        name: 'x_s_t',
        server: 's',
        kind: 'tool',
      });
    }
  });

  it('has no empty labels', () => {
    const { tools } = buildCatalog(inputOf([], { workflows: [workflow('w', { labels: {} })] }));
    expect('labels' in toToolInfo(tools[0]!, { description: 'full', schema: false })).toBe(false);
  });
});
