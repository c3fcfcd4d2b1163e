import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { under } from '../harness.ts';

const LIST = {
  name: 'core_service_list',
  description: 'List services\nAll of them.',
  kind: 'core',
  annotations: { readOnlyHint: true, destructiveHint: false },
};
const STOP = {
  name: 'core_service_stop',
  description: 'Stop a service',
  kind: 'core',
  annotations: { readOnlyHint: false, destructiveHint: true },
};

const list = (header?: string, args?: object) => under(header).answer('list_core_tools', args);

requirement('4.2/list-core-tools', () => {
  it('lists the selected core tools only', async () => {
    expect(await list('tool:core_service_list, server:files')).toMatchObject({
      tools: [LIST],
      total_tools: 3,
      filtered_count: 1,
      total: 1,
    });
  });

  it('answers an empty list when none is selected', async () => {
    const switches = { case_sensitive: false, include_schema: false };
    expect(await list('server:files')).toEqual({
      filters: { pattern: 'core*', ...switches, limit: 0, offset: 0 },
      total_tools: 2,
      filtered_count: 0,
      total: 0,
      truncated: false,
      tools: [],
    });
  });
});

describe('list_core_tools', () => {
  it('lists every core tool with its full description, and schemas on request', async () => {
    const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const tools = async (args?: object) =>
      ((await list(undefined, args)) as { tools: readonly unknown[] }).tools;
    expect(await tools()).toEqual([LIST, STOP]);
    expect(await tools({ include_schema: true })).toEqual([
      { ...LIST, inputSchema: { type: 'object', properties: {} } },
      { ...STOP, inputSchema: named },
    ]);
  });

  it('refuses another type', async () => {
    expect(await under().refusal('list_core_tools', { include_schema: 'no' })).toBe(
      'include_schema must be a boolean',
    );
  });
});
