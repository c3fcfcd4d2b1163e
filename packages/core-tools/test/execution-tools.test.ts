import { ANONYMOUS, createPrincipal, type Principal } from '@gateway/call-contract';
import type { ExecutionRecord } from '@gateway/crd-schemas';
import { ExecutionRecords } from '@gateway/workflow-engine';
import { describe, expect, it } from 'vitest';
import { createCoreTools } from '../src/index.ts';
import { failure, objectOf, callTool } from './ports.ts';
import { workflowPorts } from './workflows.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 5);
const formatUtcTime = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();

const run = (
  id: string,
  seconds: number,
  rest: Partial<ExecutionRecord> = {},
): ExecutionRecord => ({
  execution_id: id,
  workflow_name: 'report',
  status: 'completed',
  started_at: formatUtcTime(seconds),
  completed_at: formatUtcTime(seconds + 1),
  duration_ms: 1000,
  input: { path: '/a' },
  result: { execution_id: id, steps: [{ id: 'read' }], template_vars: ['input.path'], said: 'hi' },
  steps: [
    {
      step_id: 'read',
      tool: 'x_files_read',
      status: 'completed',
      started_at: formatUtcTime(seconds),
      completed_at: formatUtcTime(seconds + 1),
      duration_ms: 1000,
      input: { path: '/a' },
      result: 'hi',
      stored_as: 'read',
    },
  ],
  ...rest,
});

const torn = run('r2', 2, {
  workflow_name: 'apply',
  status: 'failed',
  error: 'step a failed: no such tool',
  steps: [],
});

/** Ports over the real memory of runs. */
const ports = (runs: readonly ExecutionRecord[] = [run('r1', 1), torn, run('r3', 3)]) => {
  const records = new ExecutionRecords({ now: () => NOW, warn: () => undefined });
  for (const record of runs) void records.put(record);
  return workflowPorts({
    executions: {
      list: (query) => Promise.resolve(records.list(query)),
      get: (id) => records.get(id),
    },
  });
};

const list = (args: unknown): Promise<unknown> =>
  objectOf('core_workflow_execution_list', args, ports());
const get = (args: unknown): Promise<unknown> =>
  callTool('core_workflow_execution_get', args, ports());

describe('core_workflow_execution_list', () => {
  it('lists the newest first, 50 at most', async () => {
    expect(await list({})).toEqual({
      executions: [
        {
          execution_id: 'r3',
          workflow_name: 'report',
          status: 'completed',
          started_at: '2026-01-02T03:05:03.000Z',
          completed_at: '2026-01-02T03:05:04.000Z',
          duration_ms: 1000,
          step_count: 1,
        },
        {
          execution_id: 'r2',
          workflow_name: 'apply',
          status: 'failed',
          started_at: '2026-01-02T03:05:02.000Z',
          completed_at: '2026-01-02T03:05:03.000Z',
          duration_ms: 1000,
          step_count: 0,
          error: 'step a failed: no such tool',
        },
        {
          execution_id: 'r1',
          workflow_name: 'report',
          status: 'completed',
          started_at: '2026-01-02T03:05:01.000Z',
          completed_at: '2026-01-02T03:05:02.000Z',
          duration_ms: 1000,
          step_count: 1,
        },
      ],
      total: 3,
      limit: 50,
      offset: 0,
      has_more: false,
    });
  });

  const ids = async (args: unknown): Promise<unknown> => {
    const page = (await list(args)) as { executions: readonly { execution_id: string }[] };
    const { executions, ...rest } = page;
    return { ids: executions.map(({ execution_id }) => execution_id), ...rest };
  };

  it('cuts pages, and counts before cutting', async () => {
    expect(await ids({ limit: 2 })).toEqual({
      ids: ['r3', 'r2'],
      total: 3,
      limit: 2,
      offset: 0,
      has_more: true,
    });
    expect(await ids({ limit: 1, offset: 2 })).toEqual({
      ids: ['r1'],
      total: 3,
      limit: 1,
      offset: 2,
      has_more: false,
    });
    expect(await ids({ limit: 1000, offset: 1_000_000_000 })).toMatchObject({ ids: [], total: 3 });
  });

  it('filters by workflow and by status', async () => {
    expect(await ids({ workflow_name: 'report' })).toMatchObject({ ids: ['r3', 'r1'], total: 2 });
    expect(await ids({ status: 'failed' })).toMatchObject({ ids: ['r2'], total: 1 });
    expect(await ids({ status: 'inprogress' })).toMatchObject({ ids: [], total: 0 });
    expect(await ids({ workflow_name: 'report', status: 'failed' })).toMatchObject({ ids: [] });
  });

  it('takes any name of a workflow', async () => {
    expect(await ids({ workflow_name: '' })).toMatchObject({ total: 3 });
    expect(await ids({ workflow_name: ' ' })).toMatchObject({ total: 0 });
    expect(await ids({ workflow_name: 'Report' })).toMatchObject({ total: 0 });
    expect(await ids({ workflow_name: '__proto__' })).toMatchObject({ total: 0 });
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
    [{ status: 'done' }, 'status must be one of the enum values: inprogress, completed, failed'],
    [{ status: '' }, 'status must be one of the enum values: inprogress, completed, failed'],
    [{ status: 'Failed' }, 'status must be one of the enum values: inprogress, completed, failed'],
    [{ status: 5 }, 'status must be a string'],
    [{ workflow_name: 5 }, 'workflow_name must be a string'],
    [
      { workflow: 'report' },
      'unknown args: [workflow]. Allowed args: [workflow_name, status, limit, offset]',
    ],
  ])('refuses %j', async (args, text) => {
    expect(await callTool('core_workflow_execution_list', args, ports())).toEqual(failure(text));
  });
});

describe('core_workflow_execution_get', () => {
  const shown = async (args: unknown): Promise<unknown> =>
    ((await get(args)) as { structuredContent?: unknown }).structuredContent;

  it('shows the whole record', async () => {
    expect(await shown({ execution_id: 'r1' })).toEqual(run('r1', 1));
    expect(await shown({ execution_id: 'r1', include_steps: true })).toEqual(run('r1', 1));
  });

  it('shows it without a word of steps', async () => {
    expect(await shown({ execution_id: 'r1', include_steps: false })).toEqual({
      execution_id: 'r1',
      workflow_name: 'report',
      status: 'completed',
      started_at: '2026-01-02T03:05:01.000Z',
      completed_at: '2026-01-02T03:05:02.000Z',
      duration_ms: 1000,
      input: { path: '/a' },
      result: { execution_id: 'r1', said: 'hi' },
    });
  });

  it('shows one step', async () => {
    const { result: _result, ...rest } = run('r1', 1);
    expect(await shown({ execution_id: 'r1', step_id: 'read' })).toEqual({ ...rest, input: {} });
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
    expect(await get(args)).toEqual(failure(text));
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
  const seesAllRuns = (principal: Principal): boolean =>
    principal === ANONYMOUS || principal === grace;
  const callAs = async (principal: Principal, tool: string, args: object): Promise<unknown> => {
    const { call } = createCoreTools({ ...ports(runs), seesAllRuns });
    const outcome = await call(tool, args, { principal });
    return outcome.ok && outcome.result;
  };
  const idsOf = async (principal: Principal, args: object = {}): Promise<unknown> => {
    const { structuredContent: page } = (await callAs(
      principal,
      'core_workflow_execution_list',
      args,
    )) as { structuredContent: { executions: { execution_id: string }[]; total: number } };
    return [page.executions.map(({ execution_id }) => execution_id), page.total];
  };

  it('lists the own runs of a user, and all runs for those who may see them', async () => {
    expect(await idsOf(ada)).toEqual([['of-ada'], 1]);
    expect(await idsOf(ada, { workflow_name: 'report', offset: 1 })).toEqual([[], 1]);
    expect(await idsOf(namesake)).toEqual([[], 0]);
    expect(await idsOf(grace)).toEqual([['of-nobody', 'of-grace', 'of-ada'], 3]);
    expect(await idsOf(ANONYMOUS)).toEqual([['of-nobody', 'of-grace', 'of-ada'], 3]);
  });

  it('shows the own run of a user, and answers that of another as an unknown one', async () => {
    const get = (principal: Principal, id: string) =>
      callAs(principal, 'core_workflow_execution_get', { execution_id: id });
    expect(await get(ada, 'of-ada')).toMatchObject({
      structuredContent: { execution_id: 'of-ada' },
    });
    for (const id of ['of-grace', 'of-nobody', 'of-none'])
      expect(await get(ada, id)).toEqual(
        failure(`Failed to get execution: execution ${id} not found`),
      );
    expect(await get(namesake, 'of-ada')).toEqual(
      failure('Failed to get execution: execution of-ada not found'),
    );
    expect(await get(grace, 'of-nobody')).toMatchObject({
      structuredContent: { execution_id: 'of-nobody' },
    });
  });

  it('does not name the user who started a run', async () => {
    for (const args of [{}, { include_steps: false }, { step_id: 'read' }]) {
      const shown = await callAs(grace, 'core_workflow_execution_get', {
        execution_id: 'of-ada',
        ...args,
      });
      expect(JSON.stringify(shown)).not.toContain(issuer);
    }
    expect(JSON.stringify(await callAs(grace, 'core_workflow_execution_list', {}))).not.toContain(
      issuer,
    );
  });
});
