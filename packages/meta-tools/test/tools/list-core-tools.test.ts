import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { toAnswer, listNames, refusalOf } from '../harness.ts';

requirement('4.2/list-core-tools', () => {
  it('lists the selected core tools only', async () => {
    const header = 'tool:core_service_list, server:files';
    const answer = await toAnswer('list_core_tools', {}, { header });
    expect(listNames(answer, 'tools')).toEqual(['core_service_list']);
    expect(answer).toMatchObject({ total_tools: 3, filtered_count: 1, total: 1 });
  });

  it('answers an empty list when none is selected', async () => {
    expect(await toAnswer('list_core_tools', {}, { header: 'server:files' })).toEqual({
      filters: {
        pattern: 'core*',
        case_sensitive: false,
        include_schema: false,
        limit: 0,
        offset: 0,
      },
      total_tools: 2,
      filtered_count: 0,
      total: 0,
      truncated: false,
      tools: [],
    });
  });
});

describe('list_core_tools', () => {
  it('lists every core tool with its full description, and no other tool', async () => {
    const answer = (await toAnswer('list_core_tools')) as { tools: readonly unknown[] };
    expect(answer.tools).toEqual([
      {
        name: 'core_service_list',
        description: 'List services\nAll of them.',
        kind: 'core',
        annotations: { readOnlyHint: true, destructiveHint: false },
      },
      {
        name: 'core_service_stop',
        description: 'Stop a service',
        kind: 'core',
        annotations: { readOnlyHint: false, destructiveHint: true },
      },
    ]);
  });

  it('adds the schemas on request', async () => {
    const answer = (await toAnswer('list_core_tools', { include_schema: true })) as {
      tools: readonly unknown[];
    };
    expect(answer.tools).toEqual([
      {
        name: 'core_service_list',
        description: 'List services\nAll of them.',
        kind: 'core',
        annotations: { readOnlyHint: true, destructiveHint: false },
        inputSchema: { type: 'object', properties: {} },
      },
      {
        name: 'core_service_stop',
        description: 'Stop a service',
        kind: 'core',
        annotations: { readOnlyHint: false, destructiveHint: true },
        inputSchema: {
          type: 'object',
          properties: { name: { type: 'string' } },
          required: ['name'],
        },
      },
    ]);
  });

  it('refuses another type', async () => {
    expect(await refusalOf('list_core_tools', { include_schema: 'no' })).toBe(
      'include_schema must be a boolean',
    );
  });
});
