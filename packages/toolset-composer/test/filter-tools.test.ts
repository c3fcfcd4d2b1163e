import { describe, expect, it } from 'vitest';
import { readTools } from '../src/catalog-tool.ts';
import { parseServers } from '../src/catalog-sections.ts';
import { filterTools, listServers, type ToolFilter } from '../src/filter-catalog.ts';

const TOOLS = readTools({
  tools: [
    { name: 'x_sales_list', kind: 'tool', server: 'sales', annotations: { readOnlyHint: true } },
    { name: 'workflow_triage', kind: 'workflow', annotations: { destructiveHint: true } },
    {
      ...{ name: 'x_files_write', kind: 'tool', server: 'files' },
      annotations: { destructiveHint: false },
    },
    {
      name: '__proto__',
      kind: 'tool',
      server: '__proto__',
      annotations: { destructiveHint: true },
    },
    { name: 'core_events', kind: 'core', annotations: { readOnlyHint: true } },
  ],
});

const SERVERS = parseServers({
  mcpServers: [
    { name: 'sales-eu', family: { name: 'sales' }, labels: { 'a.b/tool-group': 'infrastructure' } },
    { name: 'files' },
  ],
});

const found = (filter: ToolFilter): readonly string[] =>
  filterTools({ tools: TOOLS, servers: SERVERS, requiringAuth: new Set() }, filter).map(
    ({ name }) => name,
  );

describe('a filter of tools', () => {
  it('leaves their order as it is', () => {
    expect(found({})).toEqual(TOOLS.map(({ name }) => name));
  });

  it('by group takes the group of the family, and core tools to the platform', () => {
    expect(found({ group: 'infrastructure' })).toEqual(['x_sales_list']);
    expect(found({ group: 'agent-platform' })).toEqual(['core_events']);
    expect(found({ group: 'registered' })).toEqual(['x_files_write', '__proto__']);
    expect(found({ group: 'workflows' })).toEqual(['workflow_triage']);
  });

  it('by server takes the family or the server', () => {
    expect(found({ server: 'sales' })).toEqual(['x_sales_list']);
    expect(found({ server: 'sales-eu' })).toEqual([]);
    expect(found({ server: '__proto__' })).toEqual(['__proto__']);
    expect(found({ server: 'constructor' })).toEqual([]);
  });

  it('by kind and by annotation', () => {
    expect(found({ kind: 'core' })).toEqual(['core_events']);
    expect(found({ hint: 'read-only' })).toEqual(['x_sales_list', 'core_events']);
    expect(found({ hint: 'destructive' })).toEqual(['workflow_triage', '__proto__']);
    expect(found({ hint: 'other' })).toEqual(['x_files_write']);
  });

  it('narrows with every part', () => {
    expect(found({ kind: 'tool', hint: 'read-only' })).toEqual(['x_sales_list']);
    expect(found({ kind: 'core', hint: 'destructive' })).toEqual([]);
  });

  it('offers each server once', () => {
    expect(listServers([...TOOLS, ...TOOLS])).toEqual(['__proto__', 'files', 'sales']);
  });
});
