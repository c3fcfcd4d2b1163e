import { ANONYMOUS, createPrincipal, type Principal } from '@gateway/call-contract';
import type { ExecutionRecord } from '@gateway/crd-schemas';
import { ExecutionRecords } from '@gateway/workflow-engine';
import { describe, expect, it } from 'vitest';
import { createCoreTools } from '../src/index.ts';
import { failure, objectOf, callTool } from './ports.ts';
import { workflowPorts } from './workflows.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 5);
const times = (seconds: number) => ({
  started_at: new Date(NOW + seconds * 1000).toISOString(),
  completed_at: new Date(NOW + seconds * 1000 + 1000).toISOString(),
  duration_ms: 1000,
});
const input = { path: '/a' };

const run = (id: string, seconds: number, rest: Partial<ExecutionRecord> = {}): ExecutionRecord => {
  const step = { step_id: 'read', tool: 'x_files_read', status: 'completed' } as const;
  return {
    execution_id: id,
    workflow_name: 'report',
    status: 'completed',
    ...times(seconds),
    input,
    result: {
      execution_id: id,
      steps: [{ id: 'read' }],
      template_vars: ['input.path'],
      said: 'hi',
    },
    steps: [{ ...step, ...times(seconds), input, result: 'hi', stored_as: 'read' }],
    ...rest,
  };
};

const FAILED = { status: 'failed', error: 'step a failed: no such tool' } as const;
const torn = run('r2', 2, { workflow_name: 'apply', ...FAILED, steps: [] });

/** Ports over the real memory of runs. */
const ports = (runs: readonly ExecutionRecord[] = [run('r1', 1), torn, run('r3', 3)]) => {
  const records = new ExecutionRecords({ now: () => NOW, warn: () => undefined });
  for (const record of runs) void records.put(record);
  const list: ExecutionRecords['list'] = (query) => records.list(query);
  return workflowPorts({
    executions: {
      list: (query) => Promise.resolve(list(query)),
      get: (id) => records.get(id),
    },
  });
};

const LIST = 'core_workflow_execution_list';
const GET = 'core_workflow_execution_get';
const STATUSES = 'status must be one of the enum values: inprogress, completed, failed';

describe('core_workflow_execution_list', () => {
  it('lists the newest first, 50 at most', async () => {
    const entry = (id: string, seconds: number, more: object) => ({
      execution_id: id,
      workflow_name: 'report',
      status: 'completed',
      ...times(seconds),
      step_count: 1,
      ...more,
    });
    expect(await objectOf(LIST, {}, ports())).toEqual({
      executions: [
        entry('r3', 3, {}),
        entry('r2', 2, { workflow_name: 'apply', ...FAILED, step_count: 0 }),
        entry('r1', 1, {
          started_at: '2026-01-02T03:05:01.000Z',
          completed_at: '2026-01-02T03:05:02.000Z',
        }),
      ],
      total: 3,
      limit: 50,
      offset: 0,
      has_more: false,
    });
  });

  it.each([
    [{ limit: 2 }, ['r3', 'r2'], { total: 3, limit: 2, offset: 0, has_more: true }],
    [{ limit: 1, offset: 2 }, ['r1'], { total: 3, limit: 1, offset: 2, has_more: false }],
    [{ limit: 1000, offset: 1_000_000_000 }, [], { total: 3 }],
    [{ workflow_name: 'report' }, ['r3', 'r1'], { total: 2 }],
    [{ status: 'failed' }, ['r2'], { total: 1 }],
    [{ status: 'inprogress' }, [], { total: 0 }],
    [{ workflow_name: 'report', status: 'failed' }, [], {}],
    [{ workflow_name: '' }, ['r3', 'r2', 'r1'], { total: 3 }],
    [{ workflow_name: ' ' }, [], { total: 0 }],
    [{ workflow_name: 'Report' }, [], { total: 0 }],
    [{ workflow_name: '__proto__' }, [], { total: 0 }],
  ])('filters, counts, then cuts a page: %j', async (args, ids, page) => {
    const executions = ids.map((execution_id) => ({ execution_id }));
    expect(await objectOf(LIST, args, ports())).toMatchObject({ executions, ...page });
  });

  it.each([
    [{ limit: '5' }, 'limit must be a number'],
    [{ limit: true }, 'limit must be a number'],
    [{ limit: 0 }, 'limit must be at least 1 (minimum value)'],
    [{ limit: -1 }, 'limit must be at least 1 (minimum value)'],
    [{ limit: 1001 }, 'limit must be at most 1000 (maximum value)'],
    [{ limit: 1.5 }, 'limit must be a whole number'],
    [{ offset: -1 }, 'offset must be at least 0 (minimum value)'],
    [{ offset: [] }, 'offset must be a number'],
    [{ status: 'done' }, STATUSES],
    [{ status: '' }, STATUSES],
    [{ status: 'Failed' }, STATUSES],
    [{ status: 5 }, 'status must be a string'],
    [{ workflow_name: 5 }, 'workflow_name must be a string'],
    [
      { workflow: 'report' },
      'unknown args: [workflow]. Allowed args: [workflow_name, status, limit, offset]',
    ],
  ])('refuses %j', async (args, text) => {
    expect(await callTool(LIST, args, ports())).toEqual(failure(text));
  });
});

describe('core_workflow_execution_get', () => {
  const { result: _result, ...withoutResult } = run('r1', 1);
  const { steps: _steps, ...withoutSteps } = run('r1', 1);

  it.each([
    [{}, run('r1', 1)],
    [{ include_steps: true }, run('r1', 1)],
    [{ include_steps: false }, { ...withoutSteps, result: { execution_id: 'r1', said: 'hi' } }],
    [{ step_id: 'read' }, { ...withoutResult, input: {} }],
  ])('shows the record as far as it is requested: %j', async (args, shown) => {
    expect(await objectOf(GET, { execution_id: 'r1', ...args }, ports())).toEqual(shown);
  });

  it.each([
    [{}, 'execution_id is required'],
    [{ execution_id: '' }, 'execution_id is required'],
    [{ execution_id: null }, 'execution_id is required'],
    [{ execution_id: 5 }, 'execution_id must be a string'],
    [{ execution_id: 'r1', include_steps: 'yes' }, 'include_steps must be a boolean value'],
    [{ execution_id: 'r1', include_steps: 1 }, 'include_steps must be a boolean value'],
    [{ execution_id: 'r1', step_id: null }, 'step_id cannot be null'],
    [{ execution_id: 'r1', step_id: '' }, 'step_id is invalid: cannot be empty'],
    [{ execution_id: 'r1', step_id: 5 }, 'step_id must be a string'],
    [{ execution_id: 'r9' }, 'Failed to get execution: execution r9 not found'],
    [{ execution_id: '../r1' }, 'Failed to get execution: execution ../r1 not found'],
    [
      { execution_id: 'r1', step_id: 'gone' },
      'Failed to get execution: step gone not found in execution r1',
    ],
    [
      { execution_id: 'r2', step_id: 'a' },
      'Failed to get execution: step a not found in execution r2',
    ],
  ])('refuses %j', async (args, text) => {
    expect(await callTool(GET, args, ports())).toEqual(failure(text));
  });
});

describe('runs of users who signed in', () => {
  const issuer = 'https://issuer.test';
  const ada = createPrincipal({ issuer, subject: 'ada' });
  const grace = createPrincipal({ issuer, subject: 'grace', scopes: ['mcp:admin'] });
  const namesake = createPrincipal({ issuer: 'https://other.test', subject: 'ada' });
  const runs = [
    run('of-ada', 1, { started_by: { issuer, subject: 'ada' } }),
    run('of-grace', 2, { started_by: { issuer, subject: 'grace' } }),
    run('of-nobody', 3),
  ];
  const callAs = async (principal: Principal, tool: string, args: object): Promise<unknown> => {
    const { call } = createCoreTools(ports(runs));
    const outcome = await call(tool, args, { principal });
    return outcome.ok && outcome.result;
  };

  const all = ['of-nobody', 'of-grace', 'of-ada'];
  it.each<[Principal, object, readonly string[], number]>([
    [ada, {}, ['of-ada'], 1],
    [ada, { workflow_name: 'report', offset: 1 }, [], 1],
    [namesake, {}, [], 0],
    [grace, {}, all, 3],
    [ANONYMOUS, {}, all, 3],
  ])('lists the own runs of a user, or all: %#', async (user, args, ids, total) => {
    const executions = ids.map((execution_id) => ({ execution_id }));
    const structuredContent = { executions, total };
    expect(await callAs(user, LIST, args)).toMatchObject({ structuredContent });
  });

  it.each([
    ['ada', ada, ['of-ada'], ['of-grace', 'of-nobody', 'of-none']],
    ['a namesake', namesake, [], ['of-ada']],
    ['an administrator', grace, ['of-nobody', 'of-ada'], []],
  ])('shows the runs of %s, and answers others as unknown', async (_, user, shown, hidden) => {
    const get = (execution_id: string) => callAs(user, GET, { execution_id });
    for (const execution_id of shown)
      expect(await get(execution_id)).toMatchObject({ structuredContent: { execution_id } });
    for (const id of hidden)
      expect(await get(id)).toEqual(failure(`Failed to get execution: execution ${id} not found`));
  });

  it.each([
    [LIST, {}],
    [GET, { execution_id: 'of-ada' }],
    [GET, { execution_id: 'of-ada', include_steps: false }],
    [GET, { execution_id: 'of-ada', step_id: 'read' }],
  ])('%s of %j does not name the user who started a run', async (tool, args) => {
    expect(JSON.stringify(await callAs(grace, tool, args))).not.toContain(issuer);
  });
});
