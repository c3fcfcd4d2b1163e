import type { McpServer, Workflow } from '@gateway/crd-schemas';
import { expect, it } from 'vitest';
import { listResourceEvents, type StoreState, type WorkflowResource } from '../src/index.ts';

const server = (name: string, namespace = 'default', tools?: readonly object[]) =>
  ({ metadata: { name, namespace }, spec: { tools } }) as unknown as McpServer;

const problemOf = (name: string, message: string) => {
  const place = { source: `mcpservers/${name}.yaml`, line: 4, column: 3 };
  return { ...place, kind: 'MCPServer', name, message } as const;
};

const workflow = (name: string, stepCount = 2) => {
  const parsed = { metadata: { name, namespace: 'default' } } as unknown as Workflow;
  return { name, valid: true, workflow: parsed, status: { stepCount } } as WorkflowResource;
};

const brokenWorkflow = (name: string, message: string) => {
  const problem = { source: `workflows/${name}.yaml`, kind: 'Workflow', name, message };
  return { name, valid: false, problems: [problem] } as unknown as WorkflowResource;
};

const state = (parts: Partial<StoreState>): StoreState => ({
  config: undefined,
  configProblems: [],
  servers: [],
  workflows: [],
  problems: [],
  ...parts,
});

const A = { name: 'a', namespace: 'default' };
const W = { name: 'w', namespace: 'default' };
const [a, w] = [server('a'), workflow('w')];
const good = state({ servers: [a], workflows: [w] });

it('reports created, updated and deleted definitions', () => {
  const before = state({ servers: [a, server('b', 'team')], workflows: [w] });
  const workflows = [workflow('w', 3), workflow('v')];
  expect(listResourceEvents(before, state({ servers: [a, server('c')], workflows }))).toEqual([
    { reason: 'MCPServerDeleted', name: 'b', namespace: 'team' },
    { reason: 'MCPServerCreated', name: 'c', namespace: 'default' },
    { reason: 'WorkflowUpdated', ...W, steps: 3 },
    { reason: 'WorkflowCreated', name: 'v', namespace: 'default', steps: 2 },
  ]);
  const changed = state({ servers: [server('a')] });
  const updated = [{ reason: 'MCPServerUpdated', ...A }];
  expect(listResourceEvents(state({ servers: [a] }), changed)).toEqual(updated);
});

it('reports definitions that became invalid or valid again', () => {
  const problem = 'spec.command: command is required';
  const bad = state({
    problems: [problemOf('a', problem), problemOf('a', 'another')],
    workflows: [brokenWorkflow('w', 'spec.steps: is required')],
  });
  const error = `mcpservers/a.yaml:4:3: ${problem} (and 1 more)`;
  const broken = 'workflows/w.yaml: spec.steps: is required';
  expect(listResourceEvents(good, bad)).toEqual([
    { reason: 'MCPServerValidationFailed', ...A, error },
    { reason: 'WorkflowValidationFailed', ...W, error: broken },
  ]);
  expect(listResourceEvents(bad, good)).toEqual([
    { reason: 'MCPServerValidationSucceeded', ...A },
    { reason: 'WorkflowValidationSucceeded', ...W },
  ]);
});

it('reports a different reason, and not the same one again', () => {
  const badBecause = (message: string) => state({ problems: [problemOf('a', message)] });
  const one = badBecause('one');
  const failed = { reason: 'MCPServerValidationFailed', name: 'a' };
  expect(listResourceEvents(one, badBecause('one'))).toEqual([]);
  expect(listResourceEvents(one, badBecause('two'))).toEqual([
    { ...failed, error: 'mcpservers/a.yaml:4:3: two' },
  ]);
  expect(listResourceEvents(one, state({}))).toEqual([{ reason: 'MCPServerDeleted', name: 'a' }]);
});

it('reports only invalid definitions at the start', () => {
  const first = state({ ...good, problems: [problemOf('b', 'one')] });
  const error = 'mcpservers/b.yaml:4:3: one';
  const failed = { reason: 'MCPServerValidationFailed', name: 'b', error };
  expect(listResourceEvents(undefined, first)).toEqual([failed]);
  expect(listResourceEvents(first, state({ ...first }))).toEqual([]);
});

it('reports once that a definition newly declares tools read-only', () => {
  const readOnly = (...names: readonly string[]) =>
    names.map((pattern) => ({ pattern, annotations: { readOnlyHint: true } }));
  const stateOf = (...tools: readonly object[]) =>
    state({ servers: [server('a', 'default', tools)] });
  const updated = { reason: 'MCPServerUpdated', ...A };
  const other = { name: 'get', description: 'Reads.', annotations: { readOnlyHint: false } };
  expect(listResourceEvents(stateOf(), stateOf(other))).toEqual([updated]);
  const declared = { reason: 'MCPServerToolsReadOnly', ...A, tools: ['get_*'] };
  expect(listResourceEvents(stateOf(), stateOf(...readOnly('get_*')))).toEqual([updated, declared]);
  expect(listResourceEvents(state({}), stateOf(...readOnly('get_*')))).toEqual([
    { reason: 'MCPServerCreated', ...A },
    declared,
  ]);
  const before = stateOf(...readOnly('list_*'));
  expect(listResourceEvents(before, stateOf(...readOnly('list_*', 'get_*')))).toEqual([
    updated,
    declared,
  ]);
  expect(listResourceEvents(before, stateOf(other, ...readOnly('list_*')))).toEqual([updated]);
});

it('takes any name', () => {
  const names = ['__proto__', 'constructor'];
  const after = state({ servers: names.map((name) => server(name)) });
  expect(listResourceEvents(state({}), after).map(({ name }) => name)).toEqual(names);
});
