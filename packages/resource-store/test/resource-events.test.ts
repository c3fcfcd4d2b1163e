import type { McpServer, Workflow } from '@gateway/crd-schemas';
import { describe, expect, it } from 'vitest';
import { listResourceEvents, type StoreState, type WorkflowResource } from '../src/index.ts';

const server = (name: string, namespace = 'default') =>
  ({ metadata: { name, namespace } }) as unknown as McpServer;

const createProblem = (name: string, message: string) =>
  ({
    source: `mcpservers/${name}.yaml`,
    line: 4,
    column: 3,
    kind: 'MCPServer',
    name,
    message,
  }) as const;

const workflow = (name: string, stepCount = 2) =>
  ({
    name,
    valid: true,
    workflow: { metadata: { name, namespace: 'default' } } as unknown as Workflow,
    status: { stepCount },
  }) as unknown as WorkflowResource;

const brokenWorkflow = (name: string, message: string) =>
  ({
    name,
    valid: false,
    problems: [{ source: `workflows/${name}.yaml`, kind: 'Workflow', name, message }],
  }) as unknown as WorkflowResource;

const state = (parts: Partial<StoreState>): StoreState => ({
  config: undefined,
  configProblems: [],
  servers: [],
  workflows: [],
  problems: [],
  ...parts,
});

const a = server('a');
const w = workflow('w');

describe('resourceEvents', () => {
  it('reports created, updated and deleted definitions', () => {
    const before = state({ servers: [a, server('b', 'team')], workflows: [w] });
    const after = state({
      servers: [a, server('c')],
      workflows: [workflow('w', 3), workflow('v')],
    });
    expect(listResourceEvents(before, after)).toEqual([
      { reason: 'MCPServerDeleted', name: 'b', namespace: 'team' },
      { reason: 'MCPServerCreated', name: 'c', namespace: 'default' },
      { reason: 'WorkflowUpdated', name: 'w', namespace: 'default', steps: 3 },
      { reason: 'WorkflowCreated', name: 'v', namespace: 'default', steps: 2 },
    ]);
    const changed = state({ servers: [server('a')] });
    expect(listResourceEvents(state({ servers: [a] }), changed)).toEqual([
      { reason: 'MCPServerUpdated', name: 'a', namespace: 'default' },
    ]);
  });

  it('reports definitions that became invalid or valid again', () => {
    const good = state({ servers: [a], workflows: [w] });
    const bad = state({
      problems: [
        createProblem('a', 'spec.command: command is required'),
        createProblem('a', 'another'),
      ],
      workflows: [brokenWorkflow('w', 'spec.steps: is required')],
    });
    expect(listResourceEvents(good, bad)).toEqual([
      {
        reason: 'MCPServerValidationFailed',
        name: 'a',
        namespace: 'default',
        error: 'mcpservers/a.yaml:4:3: spec.command: command is required (and 1 more)',
      },
      {
        reason: 'WorkflowValidationFailed',
        name: 'w',
        namespace: 'default',
        error: 'workflows/w.yaml: spec.steps: is required',
      },
    ]);
    expect(listResourceEvents(bad, good)).toEqual([
      { reason: 'MCPServerValidationSucceeded', name: 'a', namespace: 'default' },
      { reason: 'WorkflowValidationSucceeded', name: 'w', namespace: 'default' },
    ]);
  });

  it('reports a different reason, and not the same one again', () => {
    const bad = state({ problems: [createProblem('a', 'one')] });
    expect(listResourceEvents(bad, state({ problems: [createProblem('a', 'one')] }))).toEqual([]);
    expect(listResourceEvents(bad, state({ problems: [createProblem('a', 'two')] }))).toEqual([
      { reason: 'MCPServerValidationFailed', name: 'a', error: 'mcpservers/a.yaml:4:3: two' },
    ]);
    expect(listResourceEvents(bad, state({}))).toEqual([{ reason: 'MCPServerDeleted', name: 'a' }]);
  });

  it('reports only invalid definitions at the start', () => {
    const first = state({ servers: [a], workflows: [w], problems: [createProblem('b', 'one')] });
    expect(listResourceEvents(undefined, first)).toEqual([
      { reason: 'MCPServerValidationFailed', name: 'b', error: 'mcpservers/b.yaml:4:3: one' },
    ]);
    expect(listResourceEvents(first, state({ ...first }))).toEqual([]);
  });

  it('takes any name', () => {
    const after = state({ servers: [server('__proto__'), server('constructor')] });
    expect(listResourceEvents(state({}), after).map(({ name }) => name)).toEqual([
      '__proto__',
      'constructor',
    ]);
  });
});
