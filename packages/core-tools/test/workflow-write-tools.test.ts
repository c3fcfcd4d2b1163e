import type { WriteOutcome } from '@gateway/call-contract';
import { toWorkflowDocument } from '@gateway/crd-schemas';
import { defineRequirements } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
import { requirements } from '../spec.requirements.ts';
import { failure, objectOf, callTool, sentence } from './ports.ts';
import { report, workflowPorts } from './workflows.ts';

const requirement = defineRequirements(requirements);

const STEP = { id: 'read', tool: 'x_files_read' };
const DEFINITION = { name: 'w', steps: [STEP] };

const call = (
  verb: 'create' | 'update' | 'delete' | 'validate',
  args: unknown,
  ports = workflowPorts(),
) => callTool(`core_workflow_${verb}`, args, ports);

describe('a written definition', () => {
  it('is a resource, with the older spellings translated', async () => {
    const ports = workflowPorts();
    expect(
      await call(
        'create',
        {
          name: 'w',
          description: 'Reads.',
          args: { path: { type: 'string', default: '/' } },
          steps: [
            { ...STEP, allow_failure: true },
            {
              id: 'again',
              tool: 'x_files_read',
              condition: { from_step: 'read', expect_not: { json_path: { 'a.b': 1 } } },
            },
          ],
          on_failure: [{ id: 'tell', tool: 'core_workflow_list' }],
          output: { text: '{{ .results.read }}' },
        },
        ports,
      ),
    ).toEqual(sentence('Workflow created successfully'));
    expect(ports.orders).toEqual(['create w']);
    expect(ports.written.map(toWorkflowDocument)).toEqual([
      {
        apiVersion: 'gateway.internal/v1alpha1',
        kind: 'Workflow',
        metadata: { name: 'w' },
        spec: {
          description: 'Reads.',
          args: { path: { type: 'string', default: '/' } },
          steps: [
            { id: 'read', tool: 'x_files_read', allowFailure: true },
            {
              id: 'again',
              tool: 'x_files_read',
              condition: { fromStep: 'read', expectNot: { jsonPath: { 'a.b': 1 } } },
            },
          ],
          onFailure: [{ id: 'tell', tool: 'core_workflow_list' }],
          output: { text: '{{ .results.read }}' },
        },
      },
    ]);
  });

  it('is unchanged when the response of get is sent back', async () => {
    const ports = workflowPorts();
    const got = (await objectOf('core_workflow_get', { name: 'report' }, ports)) as {
      workflow: Readonly<Record<string, unknown>>;
    };
    const { name, description, args, steps, onFailure, output } = got.workflow;
    const definition = { name, description, args, steps, onFailure, output };
    expect(await call('update', definition, ports)).toEqual(
      sentence("Workflow 'report' updated successfully"),
    );
    expect(ports.written.map(({ spec }) => spec)).toEqual([report.workflow?.spec]);
  });

  it('is in the API group of the gateway', async () => {
    const ports = workflowPorts({ apiGroup: 'tools.example' });
    await call('create', DEFINITION, ports);
    expect(ports.written.map(({ apiVersion }) => apiVersion)).toEqual(['tools.example/v1alpha1']);
  });

  it('may name a tool that does not exist', async () => {
    expect(await call('create', { name: 'w', steps: [{ id: 'a', tool: 'x_gone' }] })).toEqual(
      sentence('Workflow created successfully'),
    );
  });
});

describe('the answer', () => {
  const after = (verb: 'create' | 'update' | 'delete', outcome: WriteOutcome) =>
    call(verb, verb === 'delete' ? { name: 'w' } : DEFINITION, workflowPorts({}, outcome));

  it('is a sentence when it is done', async () => {
    expect(await after('create', { kind: 'done' })).toEqual(
      sentence('Workflow created successfully'),
    );
    expect(await after('update', { kind: 'done' })).toEqual(
      sentence("Workflow 'w' updated successfully"),
    );
    expect(await after('delete', { kind: 'done' })).toEqual(
      sentence("Workflow 'w' deleted successfully"),
    );
  });

  it('reports an existing and a missing workflow', async () => {
    expect(await after('create', { kind: 'exists' })).toEqual(
      failure('Failed to create workflow: workflow w already exists'),
    );
    expect(await after('update', { kind: 'missing' })).toEqual(
      failure('Failed to update workflow: workflow w not found'),
    );
    expect(await after('delete', { kind: 'missing' })).toEqual(
      failure('Failed to delete workflow: workflow w not found'),
    );
  });

  it.each(['create', 'update', 'delete'] as const)(
    'reports why it could not %s it',
    async (verb) => {
      expect(await after(verb, { kind: 'failed', text: 'the directory is read-only' })).toEqual(
        failure(`Failed to ${verb} workflow: the directory is read-only`),
      );
    },
  );
});

/** Returns the refusal of a definition: its sentence and its list of problems. */
const createRefusal = (start: string, ...problems: readonly string[]) =>
  failure(`${start}: ${problems.join('; ')}`, { problems });

describe('a definition that is wrong', () => {
  it.each([
    [{ steps: [STEP] }, 'name argument is required'],
    [{ name: 'w' }, 'steps argument is required'],
    [{ name: 'w', steps: 'read' }, 'steps must be an array'],
    [{ name: 'w', steps: { id: 'a' } }, 'steps must be an array'],
    [{ ...DEFINITION, args: [] }, 'args must be an object'],
    [{ ...DEFINITION, output: 'x' }, 'output must be an object'],
    [{ ...DEFINITION, onFailure: {} }, 'onFailure must be an array'],
    [{ ...DEFINITION, onFailure: [], on_failure: [] }, 'set onFailure or on_failure, not both'],
    [
      { ...DEFINITION, labels: {}, retry: 3 },
      'unknown args: [labels, retry]. Allowed args: [name, steps, description, args, onFailure, output]',
    ],
  ])('is refused for its arguments: %j', async (args, text) => {
    const ports = workflowPorts();
    for (const verb of ['create', 'update', 'validate'] as const) {
      expect(await call(verb, args, ports)).toEqual(failure(text));
    }
    expect(ports.orders).toEqual([]);
  });

  it.each([
    [[], 'workflow must have at least one step'],
    [[{ id: '', tool: 'x' }], 'steps: step 0: step ID cannot be empty'],
    [[STEP, STEP], "steps: duplicate step ID 'read' found"],
    [[{ id: 'a' }], 'steps: step 0 (a): one of tool, forEach, or parallel is required'],
  ])('is refused for its steps: %j', async (steps, problem) => {
    const ports = workflowPorts();
    const args = { name: 'w', steps };
    expect(await call('validate', args, ports)).toEqual(
      createRefusal('Validation failed', problem),
    );
    expect(await call('create', args, ports)).toEqual(
      createRefusal('Failed to create workflow: validation failed', problem),
    );
    expect(await call('update', args, ports)).toEqual(
      createRefusal('Failed to update workflow: validation failed', problem),
    );
    expect(ports.orders).toEqual([]);
  });

  it('may be described in 1,000 characters, however many bytes they take, and not in more', async () => {
    const described = (count: number) => ({ ...DEFINITION, description: '🦊'.repeat(count) });
    expect(await call('validate', described(1000))).not.toHaveProperty('isError');
    expect(await call('validate', described(1001))).toEqual(
      createRefusal('Validation failed', 'description: must be at most 1000 characters'),
    );
  });

  it('returns all problems at once', async () => {
    expect(
      await call('validate', {
        name: 'w',
        args: { x: {} },
        steps: [{ id: 'a' }, { ...STEP, condition: { tool: 'x_c' } }],
      }),
    ).toEqual(
      createRefusal(
        'Validation failed',
        'args: argument x: type is required',
        'steps: step 0 (a): one of tool, forEach, or parallel is required',
        'steps: step 1 (read): a tool or fromStep condition requires expect or expectNot',
      ),
    );
  });

  it.each(['../w', 'a/b', '__proto__', 'W w', 'w'.repeat(300)])(
    'is refused for the name %j',
    async (name) => {
      const ports = workflowPorts();
      expect(await call('create', { ...DEFINITION, name }, ports)).toMatchObject({ isError: true });
      expect(ports.orders).toEqual([]);
    },
  );
});

describe('core_workflow_validate', () => {
  it('reports a valid definition, and writes nothing', async () => {
    const ports = workflowPorts();
    expect(await call('validate', DEFINITION, ports)).toEqual(
      sentence('Validation successful for workflow w'),
    );
    expect(ports.orders).toEqual([]);
  });
  it.each(['validate', 'create', 'update'] as const)(
    'refuses a definition that no file can hold, before anything else: %s',
    async (verb) => {
      const templates = Array.from({ length: 60_000 }, () => '{{(1)}}');
      const large = { name: 'w', steps: [{ ...STEP, args: { templates } }] };
      const answer = JSON.stringify(await call(verb, large));
      expect(answer).toContain('the definition must have at most 131072 characters');
      expect(answer.length).toBeLessThan(1_000);
    },
  );
  it('accepts a definition of nearly this size', async () => {
    const near = { name: 'w', steps: [{ ...STEP, args: { text: 'x'.repeat(130_000) } }] };
    expect(await call('validate', near)).toEqual(sentence('Validation successful for workflow w'));
  });
});

const warningsOf = async (
  verb: 'create' | 'update' | 'validate',
  definition: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> => {
  const ports = workflowPorts();
  expect(await call(verb, definition, ports)).not.toHaveProperty('isError');
  return ports.orders.filter((line) => line.startsWith('warn '));
};

const VERBS = ['create', 'update', 'validate'] as const;
const STORED = { ...DEFINITION, steps: [{ ...STEP, store: true }] };
const SHOWN = { ...DEFINITION, steps: [{ ...STEP, output: true }] };

requirement('2.7/store-warning-authoring', () => {
  it.each(VERBS)('is logged by %s, as one line', async (verb) => {
    expect(await warningsOf(verb, STORED)).toEqual([
      expect.stringMatching(/^warn Workflow "w" uses the deprecated 'store' flag on: read\. .*$/),
    ]);
  });
  it('is not logged of output, which is not deprecated', async () => {
    expect(await warningsOf('create', SHOWN)).toEqual([]);
  });
  it('is not logged for a refused definition', async () => {
    const ports = workflowPorts();
    await call('create', { ...STORED, args: { x: {} } }, ports);
    expect(ports.orders).toEqual([]);
  });
});

describe('warnings', () => {
  it.each([
    ['create', 'Workflow created successfully'],
    ['update', "Workflow 'w' updated successfully"],
    ['validate', 'Validation successful for workflow w'],
  ] as const)('follow the sentence of %s, a line each', async (verb, sentence) => {
    const ports = workflowPorts();
    const definition = { ...STORED, output: { a: 1 } };
    const { content, structuredContent } = (await call(verb, definition, ports)) as {
      content: [{ text: string }];
      structuredContent: unknown;
    };
    const warned = ports.orders.filter((line) => line.startsWith('warn '));
    expect(warned).toHaveLength(2);
    const lines = warned.map((line) => line.replace('warn ', ''));
    expect(content[0].text.split('\n')).toEqual([sentence, ...lines]);
    expect(structuredContent).toEqual({ message: content[0].text, warnings: lines });
  });
});

requirement('2.7/output-inert-warning', () => {
  it.each(VERBS)('is logged by %s, and names the steps', async (verb) => {
    expect(await warningsOf(verb, { ...SHOWN, output: { a: 1 } })).toEqual([
      expect.stringMatching(
        /^warn Workflow "w" declares a workflow-level 'output' template, .* have no effect .*: read\. .*$/,
      ),
    ]);
  });
  it('is not logged without an output template, nor of steps without flags', async () => {
    expect(await warningsOf('create', SHOWN)).toEqual([]);
    expect(await warningsOf('create', { ...DEFINITION, output: { a: 1 } })).toEqual([]);
  });
});

it('treats a hostile definition as data', async () => {
  let nested: unknown = [STEP];
  for (let level = 0; level < 100_000; level += 1) {
    nested = [{ id: 'a', forEach: { items: '{{ .input.x }}', steps: nested } }];
  }
  expect(await call('validate', { name: 'w', steps: nested })).toMatchObject({ isError: true });
  expect(
    await call(
      'validate',
      JSON.parse('{"name":"w","steps":[{"id":"a","tool":"t","__proto__":1}]}'),
    ),
  ).toMatchObject({ isError: true });
});
