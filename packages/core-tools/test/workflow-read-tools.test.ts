import { describe, expect, it } from 'vitest';
import { failure, objectOf, callTool } from './ports.ts';
import { report, workflowPorts } from './workflows.ts';

const read = (name: string, args?: unknown): Promise<unknown> =>
  objectOf(name, args, workflowPorts());

describe('core_workflow_list', () => {
  it('lists all by name with their availability, and marks invalid ones', async () => {
    expect(await read('core_workflow_list')).toEqual({
      workflows: [
        { name: 'apply', available: false, missing: ['x_gone'] },
        { name: 'report', available: true, description: 'Reads a report.' },
        { name: 'torn', available: false, valid: false },
      ],
    });
  });

  it('names the first 20 tools that a workflow lacks', async () => {
    const missing = Array.from({ length: 21 }, (_, at) => `x_gone_${String(at + 10)}`);
    const ports = workflowPorts({ workflowAvailability: () => ({ available: false, missing }) });
    const { workflows } = (await objectOf('core_workflow_list', {}, ports)) as {
      readonly workflows: readonly { readonly name: string; readonly missing?: unknown }[];
    };
    expect(workflows.find(({ name }) => name === 'apply')?.missing).toEqual(missing.slice(0, 20));
  });

  it('takes include_system, which changes nothing', async () => {
    expect(await read('core_workflow_list', { include_system: true })).toEqual(
      await read('core_workflow_list', {}),
    );
  });

  it('lists none', async () => {
    expect(
      await objectOf('core_workflow_list', {}, workflowPorts({ workflows: () => [] })),
    ).toEqual({ workflows: [] });
  });

  it('reads 300 workflows once, and the availability of each once', async () => {
    const asked = { workflows: 0, available: 0 };
    const many = Array.from({ length: 300 }, (_, at) => ({ ...report, name: `w${String(at)}` }));
    await objectOf(
      'core_workflow_list',
      {},
      workflowPorts({
        workflows: () => {
          asked.workflows += 1;
          return many;
        },
        workflowAvailability: () => {
          asked.available += 1;
          return { available: true, missing: [] };
        },
      }),
    );
    expect(asked).toEqual({ workflows: 1, available: 300 });
  });

  it('uses the caller of the call', async () => {
    const sessions: unknown[] = [];
    const ports = workflowPorts({
      workflowAvailability: (_name, { sessionId }) => {
        sessions.push(sessionId);
        return { available: true, missing: [] };
      },
    });
    const { createCoreTools } = await import('../src/index.ts');
    await createCoreTools(ports).call('core_workflow_list', {}, { sessionId: 's1' });
    expect(sessions).toEqual(['s1', 's1']);
  });
});

describe('core_workflow_get', () => {
  it('shows the definition, the status, the times and the YAML', async () => {
    expect(await read('core_workflow_get', { name: 'report' })).toEqual({
      workflow: {
        name: 'report',
        description: 'Reads a report.',
        labels: { team: 'docs' },
        args: { path: { type: 'string', required: true } },
        steps: [
          { id: 'read', tool: 'x_files_read', args: { path: '{{ .input.path }}' } },
          {
            id: 'each',
            forEach: {
              items: '{{ .results.read.lines }}',
              steps: [{ id: 'look', tool: 'x_wiki_search', allowFailure: true }],
            },
          },
        ],
        onFailure: [{ id: 'tell', tool: 'core_workflow_list' }],
        output: { text: '{{ .results.read }}' },
        available: true,
        status: {
          valid: true,
          validationErrors: [],
          referencedTools: ['core_workflow_list', 'x_files_read', 'x_wiki_search'],
          stepCount: 2,
          conditions: [
            {
              type: 'Valid',
              status: 'True',
              reason: 'ValidationSucceeded',
              message: 'The workflow is valid.',
              lastTransitionTime: '2026-01-02T03:04:05.678Z',
            },
          ],
        },
        createdAt: '2026-01-02T03:04:05.678Z',
        lastModified: '2026-01-02T03:05:05.678Z',
      },
      yaml: '# As it is written.\nkind: Workflow\n',
    });
  });

  it('shows only the fields that a small one has', async () => {
    expect(await read('core_workflow_get', { name: 'apply' })).toMatchObject({
      workflow: {
        name: 'apply',
        description: '',
        steps: [{ id: 'a', tool: 'x_gone' }],
        available: false,
        missing: ['x_gone'],
      },
    });
    const { workflow } = (await read('core_workflow_get', { name: 'apply' })) as {
      workflow: object;
    };
    expect(Object.keys(workflow)).toEqual([
      'name',
      'description',
      'steps',
      'available',
      'missing',
      'status',
      'createdAt',
      'lastModified',
    ]);
  });

  it('shows the problems of an invalid one, and the parts that could be read', async () => {
    expect(await read('core_workflow_get', { name: 'torn' })).toEqual({
      workflow: {
        name: 'torn',
        description: '',
        available: false,
        status: {
          valid: false,
          validationErrors: ['spec.steps[1]: one of tool, forEach, or parallel is required'],
          referencedTools: ['x_files_read'],
          stepCount: 2,
          conditions: [
            {
              type: 'Valid',
              status: 'False',
              reason: 'ValidationFailed',
              message: 'spec.steps[1]: one of tool, forEach, or parallel is required',
              lastTransitionTime: '2026-01-02T03:04:05.678Z',
            },
          ],
        },
      },
      yaml: 'kind: Workflow\nspec: {}\n',
    });
  });

  it.each(['gone', '__proto__', ' report'])('does not find %j', async (name) => {
    expect(await callTool('core_workflow_get', { name }, workflowPorts())).toEqual(
      failure(`Failed to get workflow: workflow ${name} not found`),
    );
  });

  it('needs a name', async () => {
    expect(await callTool('core_workflow_get', {}, workflowPorts())).toEqual(
      failure('name argument is required'),
    );
  });
});

describe('core_workflow_available', () => {
  it.each([
    ['report', { available: true }],
    ['apply', { available: false, missing: ['x_gone'] }],
    ['torn', { available: false }],
    ['gone', { available: false }],
  ])('returns for %s: %j', async (name, answer) => {
    expect(await read('core_workflow_available', { name })).toEqual({ name, ...answer });
  });
});
