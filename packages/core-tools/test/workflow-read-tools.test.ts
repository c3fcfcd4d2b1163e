import { describe, expect, it } from 'vitest';
import { createCoreTools } from '../src/index.ts';
import { failure, objectOf, callTool } from './ports.ts';
import { report, workflowPorts } from './workflows.ts';

const read = (name: string, args: unknown = {}, ports = workflowPorts()): Promise<unknown> =>
  objectOf(name, args, ports);

describe('core_workflow_list', () => {
  const workflows = [
    { name: 'apply', available: false, missing: ['x_gone'] },
    { name: 'report', available: true, description: 'Reads a report.' },
    { name: 'torn', available: false, valid: false },
  ];

  it.each([{}, { include_system: true }])(
    'lists all by name with their availability, and marks invalid ones: %j',
    async (args) => {
      expect(await read('core_workflow_list', args)).toEqual({ workflows });
    },
  );

  it('names the first 20 tools that a workflow lacks', async () => {
    const missing = Array.from({ length: 21 }, (_, at) => `x_gone_${String(at + 10)}`);
    const ports = workflowPorts({ workflowAvailability: () => ({ available: false, missing }) });
    expect(await read('core_workflow_list', {}, ports)).toMatchObject({
      workflows: [{ name: 'apply', missing: missing.slice(0, 20) }, {}, {}],
    });
  });

  it('lists none', async () => {
    const ports = workflowPorts({ workflows: () => [] });
    expect(await read('core_workflow_list', {}, ports)).toEqual({ workflows: [] });
  });

  it('reads 300 workflows once, and the availability of each once, for the caller of the call', async () => {
    let reads = 0;
    const sessions: unknown[] = [];
    const many = Array.from({ length: 300 }, (_, at) => ({ ...report, name: `w${String(at)}` }));
    const ports = workflowPorts({
      workflows: () => {
        reads += 1;
        return many;
      },
      workflowAvailability: (_name, { sessionId }) => {
        sessions.push(sessionId);
        return { available: true, missing: [] };
      },
    });
    await createCoreTools(ports).call('core_workflow_list', {}, { sessionId: 's1' });
    expect([reads, sessions]).toEqual([1, many.map(() => 's1')]);
  });
});

describe('core_workflow_get', () => {
  const AT = '2026-01-02T03:04:05.678Z';
  const valid = (status: string, reason: string, message: string) => ({
    conditions: [{ type: 'Valid', status, reason, message, lastTransitionTime: AT }],
  });

  it('shows the definition, the status, the times and the YAML', async () => {
    const look = { id: 'look', tool: 'x_wiki_search', allowFailure: true };
    expect(await read('core_workflow_get', { name: 'report' })).toEqual({
      workflow: {
        name: 'report',
        description: 'Reads a report.',
        labels: { team: 'docs' },
        args: { path: { type: 'string', required: true } },
        steps: [
          { id: 'read', tool: 'x_files_read', args: { path: '{{ .input.path }}' } },
          { id: 'each', forEach: { items: '{{ .results.read.lines }}', steps: [look] } },
        ],
        onFailure: [{ id: 'tell', tool: 'core_workflow_list' }],
        output: { text: '{{ .results.read }}' },
        available: true,
        status: {
          valid: true,
          validationErrors: [],
          referencedTools: ['core_workflow_list', 'x_files_read', 'x_wiki_search'],
          stepCount: 2,
          ...valid('True', 'ValidationSucceeded', 'The workflow is valid.'),
        },
        createdAt: AT,
        lastModified: '2026-01-02T03:05:05.678Z',
      },
      yaml: '# As it is written.\nkind: Workflow\n',
    });
  });

  it('shows only the fields that a small one has', async () => {
    const { workflow } = (await read('core_workflow_get', { name: 'apply' })) as {
      workflow: object;
    };
    const steps = [{ id: 'a', tool: 'x_gone' }];
    const missing = ['x_gone'];
    const apply = { name: 'apply', description: '', steps, available: false, missing };
    expect(workflow).toMatchObject(apply);
    const more = ['status', 'createdAt', 'lastModified'];
    expect(Object.keys(workflow)).toEqual([...Object.keys(apply), ...more]);
  });

  it('shows the problems of an invalid one, and the parts that could be read', async () => {
    const problem = 'spec.steps[1]: one of tool, forEach, or parallel is required';
    const status = {
      valid: false,
      validationErrors: [problem],
      referencedTools: ['x_files_read'],
      stepCount: 2,
      ...valid('False', 'ValidationFailed', problem),
    };
    expect(await read('core_workflow_get', { name: 'torn' })).toEqual({
      workflow: { name: 'torn', description: '', available: false, status },
      yaml: 'kind: Workflow\nspec: {}\n',
    });
  });

  it.each(['gone', '__proto__', ' report'])('does not find %j', async (name) => {
    const text = `Failed to get workflow: workflow ${name} not found`;
    expect(await callTool('core_workflow_get', { name }, workflowPorts())).toEqual(failure(text));
  });
});

it.each([
  ['report', { available: true }],
  ['apply', { available: false, missing: ['x_gone'] }],
  ['torn', { available: false }],
  ['gone', { available: false }],
])('core_workflow_available returns for %s: %j', async (name, answer) => {
  expect(await read('core_workflow_available', { name })).toEqual({ name, ...answer });
});
