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
  entries.map(({ name, annotations: { readOnlyHint, ...more } }) => [
    name,
    [readOnlyHint, more.destructiveHint, more.idempotentHint, more.openWorldHint],
  ]),
);

const READS = [true, false, true, false];
const READS_OTHERS = [true, false, true, true];

const findSchema = (tool: string) => entries.find(({ name }) => name === tool)?.inputSchema;

/** Annotates these tools read-only, and not the others. */
const annotatesReadOnly = (reading: readonly string[], changing: readonly string[], as = READS) => {
  it(`annotates ${reading.join(', ')} read-only, and not ${changing.join(', ')}`, () => {
    expect(reading.map((name) => hints[name])).toEqual(reading.map(() => as));
    expect(changing.map((name) => hints[name]?.[0])).toEqual(changing.map(() => false));
  });
};

requirement('2.3/core-list-read-only', () => {
  const kinds = ['mcpserver', 'service', 'workflow', 'workflow_execution'];
  annotatesReadOnly(
    kinds.map((kind) => `core_${kind}_list`),
    ['core_service_start'],
  );
});

requirement('2.3/core-get-read-only', () => {
  const kinds = ['mcpserver', 'workflow', 'workflow_execution'];
  annotatesReadOnly(
    kinds.map((kind) => `core_${kind}_get`),
    ['core_service_stop'],
  );
});

requirement('2.3/core-validate-read-only', () => {
  annotatesReadOnly(
    ['core_workflow_validate', 'core_mcpserver_validate'],
    ['core_workflow_create', 'core_workflow_update'],
  );
});

requirement('2.3/core-config-get-read-only', () => {
  annotatesReadOnly(
    ['core_config_get', 'core_config_get_aggregator'],
    ['core_config_save', 'core_config_reload'],
  );
});

requirement('2.3/core-events-read-only', () => {
  annotatesReadOnly(['core_events'], ['core_auth_logout']);
});

requirement('2.3/core-detect-read-only', () => {
  annotatesReadOnly(['core_mcpserver_detect'], ['core_mcpserver_create'], READS_OTHERS);
});

requirement('2.3/core-auth-login-read-only', () => {
  annotatesReadOnly(['core_auth_login'], ['core_auth_logout'], READS_OTHERS);
});

requirement('9.2/core-annotations', () => {
  it('sets all four hints on every core tool', () => {
    for (const [name, values] of Object.entries(hints))
      expect([name, ...values.map((hint) => typeof hint)]).toEqual([
        name,
        ...values.map(() => 'boolean'),
      ]);
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
      core_usage_get: [true, false, true, false],
    });
    expect(Object.keys(hints)[0]).toBe('core_service_list');
  });

  it('show closed schemas', () => {
    const name = { type: 'string', description: 'Name of the MCP server' };
    const closed = { type: 'object', additionalProperties: false };
    const named = { ...closed, properties: { name }, required: ['name'] };
    expect(findSchema('core_mcpserver_get')).toEqual(named);
    expect(findSchema('core_service_list')).toEqual({ ...closed, properties: {} });
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
    const enumerated = ['inprogress', 'completed', 'failed'];
    const limit = { description: 'How many to list at most', minimum: 1, maximum: 1000 };
    const offset = { description: 'How many of the newest to leave out', minimum: 0, default: 0 };
    expect(findSchema('core_workflow_execution_list')).toEqual({
      type: 'object',
      properties: {
        workflow_name: { type: 'string', description: 'Only runs of this workflow' },
        status: { type: 'string', description: 'Only runs of this status', enum: enumerated },
        limit: { type: 'integer', ...limit, default: 50 },
        offset: { type: 'integer', ...offset },
      },
      additionalProperties: false,
    });
  });

  it('show one schema of a definition, in camel case', () => {
    const [create, update, validate] = ['create', 'update', 'validate'].map((verb) =>
      findSchema(`core_workflow_${verb}`),
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
    expect(Object.keys(create?.['properties'] as object).join(' ')).toBe(
      'name steps description args onFailure output',
    );
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
