import { expect, it } from 'vitest';
import { readTools } from '../src/catalog-tool.ts';
import { parseServers } from '../src/catalog-sections.ts';
import { filterTools, listServers, type ToolFilter } from '../src/filter-catalog.ts';

const TOOLS = readTools({
  tools: [
    { name: 'x_sales_list', kind: 'tool', server: 'sales', annotations: { readOnlyHint: true } },
    { name: 'workflow_triage', kind: 'workflow', annotations: { destructiveHint: true } },
    {
      name: 'x_files_write',
      kind: 'tool',
      server: 'files',
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

it.each<[ToolFilter, readonly string[]]>([
  [{}, TOOLS.map(({ name }) => name)],
  // The group of the family; core tools are of the platform.
  [{ group: 'infrastructure' }, ['x_sales_list']],
  [{ group: 'agent-platform' }, ['core_events']],
  [{ group: 'registered' }, ['x_files_write', '__proto__']],
  [{ group: 'workflows' }, ['workflow_triage']],
  // The family or the server.
  [{ server: 'sales' }, ['x_sales_list']],
  [{ server: 'sales-eu' }, []],
  [{ server: '__proto__' }, ['__proto__']],
  [{ server: 'constructor' }, []],
  [{ kind: 'core' }, ['core_events']],
  [{ hint: 'read-only' }, ['x_sales_list', 'core_events']],
  [{ hint: 'destructive' }, ['workflow_triage', '__proto__']],
  [{ hint: 'other' }, ['x_files_write']],
  [{ kind: 'tool', hint: 'read-only' }, ['x_sales_list']],
  [{ kind: 'core', hint: 'destructive' }, []],
])('the filter %j leaves the order of tools as it is', (filter, names) => {
  expect(found(filter)).toEqual(names);
});

it('offers each server once', () => {
  expect(listServers([...TOOLS, ...TOOLS])).toEqual(['__proto__', 'files', 'sales']);
});
