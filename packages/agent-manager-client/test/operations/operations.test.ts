import { describe, expect, it } from 'vitest';
import {
  toInputSchema,
  OPERATIONS,
  toOutputSchema,
  REFUSAL_STATUS,
  type Operation,
  type OperationName,
} from '../../src/index.ts';
import { agent } from '../../src/schemas/answers.ts';
import { requirement } from '../requirement.ts';

const NAMES = Object.keys(OPERATIONS) as OperationName[];
const WRITING = new Set<OperationName>(['create_agent', 'update_agent', 'delete_agent']);
const WITH_TOOLSET = ['create_agent', 'update_agent', 'validate_agent'] as const;

const routeOf = (name: OperationName) => `${OPERATIONS[name].method} ${OPERATIONS[name].route}`;

interface ObjectSchema {
  readonly properties: Readonly<
    Record<string, { readonly description?: string; readonly maxItems?: number }>
  >;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}
const inputOf = (name: OperationName) => toInputSchema(name) as unknown as ObjectSchema;
const outputOf = (name: OperationName) => toOutputSchema(name) as unknown as ObjectSchema;
const toolsetOf = (name: OperationName) => inputOf(name).properties['toolset']?.description ?? '';

const READ = {
  ...{ name: 'sre', namespace: 'default', exists: false, ready: null, accepted: null },
  managed: 'helmrelease',
};

requirement('1.6/agent-manager', () => {
  it('has these tools, each with a route', () =>
    expect(NAMES.map((name) => [name, routeOf(name)])).toEqual([
      ['get_info', 'GET /api/v1/info'],
      ['list_agents', 'GET /api/v1/agents'],
      ['get_agent', 'GET /api/v1/agents/{namespace}/{name}'],
      ['get_agent_status', 'GET /api/v1/agents/{namespace}/{name}/status'],
      ['validate_agent', 'POST /api/v1/agents/validate'],
      ['list_model_configs', 'GET /api/v1/modelconfigs'],
      ['list_skills', 'GET /api/v1/skills'],
      ['create_agent', 'POST /api/v1/agents'],
      ['update_agent', 'PATCH /api/v1/agents/{namespace}/{name}'],
      ['delete_agent', 'DELETE /api/v1/agents/{namespace}/{name}'],
    ]));
});

requirement('4.4/create-route', () => {
  it('answers 201 with the created agent', () => {
    expect(routeOf('create_agent')).toBe('POST /api/v1/agents');
    expect(OPERATIONS.create_agent.status).toBe(201);
    expect(outputOf('create_agent').required).toEqual(['agent', 'manifests', 'created']);
  });
});

requirement('4.4/create-required', () => {
  it('is in its schema and in no other', () => {
    expect(inputOf('create_agent').required).toEqual(['name', 'modelConfig', 'toolset']);
    expect(inputOf('update_agent').required).toEqual(['name']);
    expect(inputOf('validate_agent').required).toEqual(['name']);
  });
  it('is described for models', () => {
    expect(toolsetOf('create_agent')).toMatch(/^REQUIRED\. /);
    expect(OPERATIONS.create_agent.description).toContain('`toolset` is REQUIRED');
    expect(OPERATIONS.create_agent.description).toContain('preset:none');
  });
});

requirement('4.4/validate-route', () => {
  it('is a POST that answers 200', () => {
    expect(routeOf('validate_agent')).toBe('POST /api/v1/agents/validate');
    expect(OPERATIONS.validate_agent.status).toBe(200);
  });
});

it('validate_agent accepts the arguments of create_agent', () =>
  expect(Object.keys(inputOf('validate_agent').properties)).toEqual([
    ...Object.keys(inputOf('create_agent').properties),
    ...['update', 'force'],
  ]));

requirement('4.4/update-route', () => {
  it('names the agent in the path', () =>
    expect(routeOf('update_agent')).toBe('PATCH /api/v1/agents/{namespace}/{name}'));
});

it('update_agent is described for models', () => {
  expect(toolsetOf('update_agent')).toMatch(
    /^Replaces the agent’s whole toolset with this list; left out, it stays\. An empty list is refused: use \["preset:none"\]\. /,
  );
  expect(outputOf('update_agent').properties['changed']?.description).toBe(
    'Paths of the values that changed, sorted. A list is one path.',
  );
  expect(OPERATIONS.update_agent.description).toMatch(
    /`toolset` replaces the whole list; also the way to give one to an agent that has none\.$/,
  );
});

requirement('4.4/read-routes', () => {
  it('are GET', () => {
    expect(routeOf('get_agent')).toBe('GET /api/v1/agents/{namespace}/{name}');
    expect(routeOf('list_agents')).toBe('GET /api/v1/agents');
  });
});

describe('a toolset that is read', () => {
  it('is a list of texts in get_agent and in every agent of list_agents', () => {
    const read = { ...READ, toolset: ['preset:read-only', 'no selector'] };
    expect(OPERATIONS.get_agent.output.parse(read)).toEqual(read);
    expect(OPERATIONS.list_agents.output.parse({ agents: [read] })).toEqual({ agents: [read] });
  });
  it('is absent otherwise', () =>
    expect(agent.safeParse({ ...READ, toolset: null }).success).toBe(false));
});

it('implicit full access that is read is true or absent', () => {
  const read = { ...READ, implicitFullAccess: true };
  expect(agent.parse(read)).toEqual(read);
  expect(agent.safeParse({ ...READ, implicitFullAccess: false }).success).toBe(false);
  expect(agent.safeParse(READ).success).toBe(true);
});

requirement('9.2/agent-manager-0.4.0', () => {
  it.each(WITH_TOOLSET)('%s accepts a toolset of at most 32 selectors and no toolNames', (name) => {
    const { properties } = inputOf(name);
    expect(properties['toolset']?.maxItems).toBe(32);
    expect(Object.keys(properties)).not.toContain('toolNames');
  });
  it('is accepted by no other operation', () => {
    const takers = NAMES.filter((name) =>
      /toolset"|toolNames"/.test(JSON.stringify(inputOf(name))),
    );
    expect(takers).toEqual(['validate_agent', 'create_agent', 'update_agent']);
  });
});

describe('the instructions for models', () => {
  it.each(NAMES)('the description of %s starts with its effect', (name) => {
    const { description, hints } = OPERATIONS[name];
    expect(description).toMatch(WRITING.has(name) ? /^WRITES\. / : /^Read-only\. /);
    expect(description).not.toMatch(WRITING.has(name) ? /Read-only/ : /WRITES/);
    expect(hints.readOnlyHint).toBe(!WRITING.has(name));
  });
  it('sets all four hints', () => {
    const [readOnlyHint, openWorldHint] = [false, false];
    const hints = { readOnlyHint, openWorldHint, destructiveHint: false };
    expect(OPERATIONS.create_agent.hints).toEqual({ ...hints, idempotentHint: false });
    expect(OPERATIONS.update_agent.hints).toEqual({ ...hints, idempotentHint: true });
    expect(OPERATIONS.delete_agent.hints.destructiveHint).toBe(true);
    expect(NAMES.filter((name) => OPERATIONS[name].hints.openWorldHint)).toEqual(['list_skills']);
  });
  it.each(WITH_TOOLSET)('%s explains toolsets', (name) => {
    const description = toolsetOf(name);
    for (const word of [
      'preset:<name>, server:<name>, workflow:<name> or tool:<name>',
      'at most 32',
      'define a preset for more',
      'preset:read-only',
      'preset:none (a chat-only agent without tools)',
      'preset:infrastructure',
      'preset:agent-platform',
      'preset:full (every tool)',
      'the chart’s value toolset',
      'The former toolNames is gone: it never narrowed anything against the gateway.',
    ])
      expect(description).toContain(word);
  });
  it('has fewer than 13,000 characters in total', () => {
    const tools = NAMES.map((name) => [name, OPERATIONS[name].description, toInputSchema(name)]);
    expect(JSON.stringify(tools).length).toBeLessThan(13_000);
  });
});

describe('the table', () => {
  const entries: readonly (readonly [string, Operation])[] = Object.entries(OPERATIONS);
  it.each(entries)('%s has its path arguments in its input', (_, { input, route, query }) => {
    const inPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, argument]) => argument);
    expect(Object.keys(input.shape)).toEqual(expect.arrayContaining([...inPath, ...query]));
    expect(query.filter((argument) => inPath.includes(argument))).toEqual([]);
  });
  it.each(entries)('%s has every argument in the query that has no body', (_, operation) => {
    const { method, input, route, query } = operation;
    if (method === 'POST' || method === 'PATCH') return;
    const elsewhere = Object.keys(input.shape).filter((name) => !route.includes(`{${name}}`));
    expect(query).toEqual(elsewhere);
  });
  it('refuses with codes of the table', () => {
    const codes = new Set(entries.flatMap(([, { refusals }]) => refusals));
    expect([...codes].toSorted()).toEqual(Object.keys(REFUSAL_STATUS).toSorted());
  });
});
