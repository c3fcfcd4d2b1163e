import { defineRequirements } from '@gateway/repo-checks';
import { WORKFLOW_DEFINITION_SCHEMA } from '@gateway/crd-schemas';
import { describe, expect, it } from 'vitest';
import { requirements } from '../spec.requirements.ts';
import { createCoreTools } from '../src/index.ts';
import { portsOver, callTool } from './ports.ts';

const requirement = defineRequirements(requirements);
const { entries } = createCoreTools(portsOver());

const isCollection = (type: unknown): boolean => type === 'object' || type === 'array';

const hints = Object.fromEntries(
  entries.map(
    ({ name, annotations: { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } }) => [
      name,
      [readOnlyHint, destructiveHint, idempotentHint, openWorldHint],
    ],
  ),
);

requirement('2.3/core-list-read-only', () => {
  it('annotates the lists read-only', () => {
    expect(hints['core_mcpserver_list']).toEqual([true, false, true, false]);
    expect(hints['core_service_list']).toEqual([true, false, true, false]);
    expect(hints['core_workflow_list']).toEqual([true, false, true, false]);
    expect(hints['core_workflow_execution_list']).toEqual([true, false, true, false]);
  });
  it('does not annotate tools that change a service as read-only', () => {
    expect(hints['core_service_start']?.[0]).toBe(false);
  });
});

requirement('2.3/core-get-read-only', () => {
  it.each(['core_mcpserver_get', 'core_workflow_get', 'core_workflow_execution_get'])(
    'annotates %s read-only',
    (name) => {
      expect(hints[name]).toEqual([true, false, true, false]);
    },
  );
  it('does not annotate core_service_stop read-only', () => {
    expect(hints['core_service_stop']?.[0]).toBe(false);
  });
});

requirement('2.3/core-validate-read-only', () => {
  it('annotates core_workflow_validate and core_mcpserver_validate read-only', () => {
    expect(hints['core_workflow_validate']).toEqual([true, false, true, false]);
    expect(hints['core_mcpserver_validate']).toEqual([true, false, true, false]);
  });
  it('does not annotate tools that write a definition as read-only', () => {
    expect(hints['core_workflow_create']?.[0]).toBe(false);
    expect(hints['core_workflow_update']?.[0]).toBe(false);
  });
});

requirement('2.3/core-config-get-read-only', () => {
  it('annotates core_config_get and core_config_get_aggregator read-only', () => {
    expect(hints['core_config_get']).toEqual([true, false, true, false]);
    expect(hints['core_config_get_aggregator']).toEqual([true, false, true, false]);
  });
  it('does not annotate tools that change the configuration as read-only', () => {
    expect(hints['core_config_save']?.[0]).toBe(false);
    expect(hints['core_config_reload']?.[0]).toBe(false);
  });
});

requirement('2.3/core-detect-read-only', () => {
  it('annotates core_mcpserver_detect as read-only and open-world', () => {
    expect(hints['core_mcpserver_detect']).toEqual([true, false, true, true]);
  });
  it('does not annotate core_mcpserver_create read-only', () => {
    expect(hints['core_mcpserver_create']?.[0]).toBe(false);
  });
});

requirement('2.3/core-auth-login-read-only', () => {
  it('annotates core_auth_login as read-only and open-world', () => {
    expect(hints['core_auth_login']).toEqual([true, false, true, true]);
  });
  it('does not annotate core_auth_logout read-only', () => {
    expect(hints['core_auth_logout']?.[0]).toBe(false);
  });
});

requirement('9.2/core-annotations', () => {
  it('sets all four hints on every core tool', () => {
    for (const [name, values] of Object.entries(hints)) {
      expect([name, values.filter((hint) => typeof hint === 'boolean').length]).toEqual([name, 4]);
    }
  });
});

describe('the tools', () => {
  it('are listed in a stable order with all four hints set', () => {
    expect(hints).toEqual({
      core_service_list: [true, false, true, false],
      core_service_status: [true, false, true, false],
      core_service_start: [false, false, true, false],
      core_service_stop: [false, true, true, false],
      core_service_restart: [false, true, false, false],
      core_config_get: [true, false, true, false],
      core_config_get_aggregator: [true, false, true, false],
      core_config_update_aggregator: [false, true, true, false],
      core_config_save: [false, true, true, false],
      core_config_reload: [false, true, true, false],
      core_auth_login: [true, false, true, true],
      core_auth_logout: [false, false, true, true],
      core_mcpserver_list: [true, false, true, false],
      core_mcpserver_get: [true, false, true, false],
      core_mcpserver_validate: [true, false, true, false],
      core_mcpserver_create: [false, false, false, false],
      core_mcpserver_update: [false, true, true, false],
      core_mcpserver_delete: [false, true, false, false],
      core_mcpserver_accept: [false, true, true, false],
      core_mcpserver_detect: [true, false, true, true],
      core_workflow_list: [true, false, true, false],
      core_workflow_get: [true, false, true, false],
      core_workflow_available: [true, false, true, false],
      core_workflow_create: [false, false, false, false],
      core_workflow_update: [false, true, true, false],
      core_workflow_delete: [false, true, false, false],
      core_workflow_validate: [true, false, true, false],
      core_workflow_execution_list: [true, false, true, false],
      core_workflow_execution_get: [true, false, true, false],
      core_events: [true, false, true, false],
    });
    expect(Object.keys(hints)[0]).toBe('core_service_list');
  });

  it('show closed schemas', () => {
    expect(entries.find(({ name }) => name === 'core_mcpserver_get')?.inputSchema).toEqual({
      type: 'object',
      properties: { name: { type: 'string', description: 'Name of the MCP server' } },
      required: ['name'],
      additionalProperties: false,
    });
    expect(entries.find(({ name }) => name === 'core_service_list')?.inputSchema).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    });
  });

  it('describe the content of every argument that is an object or a list', () => {
    const untyped = entries.flatMap(({ name, inputSchema }) =>
      Object.entries(inputSchema['properties'] as Record<string, Record<string, unknown>>)
        .filter(([, schema]) => [schema['type']].flat().some((type) => isCollection(type)))
        .filter(
          ([, schema]) =>
            !['properties', 'additionalProperties', 'items'].some((key) => key in schema),
        )
        .map(([argument]) => `${name} ${argument}`),
    );
    // A template may have any members.
    expect(untyped).toEqual([
      'core_workflow_create output',
      'core_workflow_update output',
      'core_workflow_validate output',
    ]);
  });

  it('show bounds, choices and defaults', () => {
    const schema = entries.find(({ name }) => name === 'core_workflow_execution_list')?.inputSchema;
    expect(schema).toEqual({
      type: 'object',
      properties: {
        workflow_name: { type: 'string', description: 'Only runs of this workflow' },
        status: {
          type: 'string',
          description: 'Only runs of this status',
          enum: ['inprogress', 'completed', 'failed'],
        },
        limit: {
          type: 'integer',
          description: 'How many to list at most',
          minimum: 1,
          maximum: 1000,
          default: 50,
        },
        offset: {
          type: 'integer',
          description: 'How many of the newest to leave out',
          minimum: 0,
          default: 0,
        },
      },
      additionalProperties: false,
    });
  });

  it('show one schema of a definition, in camel case', () => {
    const [create, update, validate] = ['create', 'update', 'validate'].map(
      (verb) => entries.find(({ name }) => name === `core_workflow_${verb}`)?.inputSchema,
    );
    expect(create).toMatchObject({
      type: 'object',
      required: ['name', 'steps'],
      additionalProperties: false,
      properties: {
        name: { type: 'string' },
        description: { type: 'string', maxLength: 1000 },
        steps: { ...WORKFLOW_DEFINITION_SCHEMA.steps, minItems: 1 },
        args: WORKFLOW_DEFINITION_SCHEMA.args,
        onFailure: WORKFLOW_DEFINITION_SCHEMA.onFailure,
        output: { type: 'object' },
      },
    });
    expect(Object.keys(create?.['properties'] as object)).toEqual([
      'name',
      'steps',
      'description',
      'args',
      'onFailure',
      'output',
    ]);
    expect(JSON.stringify(create)).not.toMatch(/"[a-z]+_[a-z]+":/);
    expect(update).toEqual(create);
    expect(validate).toEqual(create);
  });

  it.each(['core_nothing', '__proto__', 'constructor', ''])(
    'report that %j does not exist',
    async (name) => {
      expect(await createCoreTools(portsOver()).call(name, {})).toEqual({
        ok: false,
        text: `tool not found: ${name}`,
      });
    },
  );

  it('answer reads as compact JSON and as structured content, equal to each other', async () => {
    const result = await callTool('core_config_get', undefined);
    expect(result).toEqual({
      content: [{ type: 'text', text: '{"apiGroup":"gateway.internal"}' }],
      structuredContent: { apiGroup: 'gateway.internal' },
    });
  });
});
