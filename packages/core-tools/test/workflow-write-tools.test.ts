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
const VERBS = ['create', 'update', 'validate'] as const;
const CREATED = sentence('Workflow created successfully');

const call = (verb: (typeof VERBS)[number] | 'delete', args: unknown, ports = workflowPorts()) =>
  callTool(`core_workflow_${verb}`, args, ports);

describe('a written definition', () => {
  it('is a resource, with the older spellings translated', async () => {
    const ports = workflowPorts();
    const common = {
      description: 'Reads.',
      args: { path: { type: 'string', default: '/' } },
      output: { text: '{{ .results.read }}' },
    };
    const tell = [{ id: 'tell', tool: 'core_workflow_list' }];
    const again = { id: 'again', tool: 'x_files_read' };
    const old = { from_step: 'read', expect_not: { json_path: { 'a.b': 1 } } };
    const steps = [
      { ...STEP, allow_failure: true },
      { ...again, condition: old },
    ];
    const definition = { name: 'w', ...common, steps, on_failure: tell };
    expect(await call('create', definition, ports)).toEqual(CREATED);
    expect(ports.orders).toEqual(['create w']);
    const condition = { fromStep: 'read', expectNot: { jsonPath: { 'a.b': 1 } } };
    const translated = [
      { ...STEP, allowFailure: true },
      { ...again, condition },
    ];
    expect(ports.written.map(toWorkflowDocument)).toEqual([
      {
        apiVersion: 'gateway.internal/v1alpha1',
        kind: 'Workflow',
        metadata: { name: 'w' },
        spec: { ...common, steps: translated, onFailure: tell },
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
    const updated = sentence("Workflow 'report' updated successfully");
    expect(await call('update', definition, ports)).toEqual(updated);
    expect(ports.written.map(({ spec }) => spec)).toEqual([report.workflow?.spec]);
  });

  it('is in the API group of the gateway', async () => {
    const ports = workflowPorts({ apiGroup: 'tools.example' });
    await call('create', DEFINITION, ports);
    expect(ports.written.map(({ apiVersion }) => apiVersion)).toEqual(['tools.example/v1alpha1']);
  });

  it('may name a tool that does not exist', async () => {
    expect(await call('create', { name: 'w', steps: [{ id: 'a', tool: 'x_gone' }] })).toEqual(
      CREATED,
    );
  });
});

const readOnly: WriteOutcome = { kind: 'failed', text: 'the directory is read-only' };

it.each<readonly ['create' | 'update' | 'delete', WriteOutcome, unknown]>([
  ['create', { kind: 'done' }, CREATED],
  ['update', { kind: 'done' }, sentence("Workflow 'w' updated successfully")],
  ['delete', { kind: 'done' }, sentence("Workflow 'w' deleted successfully")],
  ['create', { kind: 'exists' }, failure('Failed to create workflow: workflow w already exists')],
  ['update', { kind: 'missing' }, failure('Failed to update workflow: workflow w not found')],
  ['delete', { kind: 'missing' }, failure('Failed to delete workflow: workflow w not found')],
  ['create', readOnly, failure('Failed to create workflow: the directory is read-only')],
  ['update', readOnly, failure('Failed to update workflow: the directory is read-only')],
  ['delete', readOnly, failure('Failed to delete workflow: the directory is read-only')],
])('%s answers a write that ends as %j', async (verb, outcome, result) => {
  const args = verb === 'delete' ? { name: 'w' } : DEFINITION;
  expect(await call(verb, args, workflowPorts({}, outcome))).toEqual(result);
});

const STARTS = {
  create: 'Failed to create workflow: validation failed',
  update: 'Failed to update workflow: validation failed',
  validate: 'Validation failed',
};

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
    for (const verb of VERBS) expect(await call(verb, args, ports)).toEqual(failure(text));
    expect(ports.orders).toEqual([]);
  });

  it.each([
    [{ steps: [] }, ['workflow must have at least one step']],
    [{ steps: [{ id: '', tool: 'x' }] }, ['steps: step 0: step ID cannot be empty']],
    [{ steps: [STEP, STEP] }, ["steps: duplicate step ID 'read' found"]],
    [{ description: '🦊'.repeat(1001) }, ['description: must be at most 1000 characters']],
    [
      { args: { x: {} }, steps: [{ id: 'a' }, { ...STEP, condition: { tool: 'x_c' } }] },
      [
        'args: argument x: type is required',
        'steps: step 0 (a): one of tool, forEach, or parallel is required',
        'steps: step 1 (read): a tool or fromStep condition requires expect or expectNot',
      ],
    ],
  ])('is refused with all of its problems: %.80j', async (parts, problems) => {
    const ports = workflowPorts();
    for (const verb of VERBS)
      expect(await call(verb, { ...DEFINITION, ...parts }, ports)).toEqual(
        failure(`${STARTS[verb]}: ${problems.join('; ')}`, { problems }),
      );
    expect(ports.orders).toEqual([]);
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
  it.each([
    DEFINITION,
    { ...DEFINITION, description: '🦊'.repeat(1000) },
    { name: 'w', steps: [{ ...STEP, args: { text: 'x'.repeat(130_000) } }] },
  ])('reports a valid definition, and writes nothing: %.60j', async (definition) => {
    const ports = workflowPorts();
    const valid = sentence('Validation successful for workflow w');
    expect(await call('validate', definition, ports)).toEqual(valid);
    expect(ports.orders).toEqual([]);
  });

  it.each(VERBS)('refuses a definition that no file can hold: %s', async (verb) => {
    const templates = Array.from({ length: 60_000 }, () => '{{(1)}}');
    const large = { name: 'w', steps: [{ ...STEP, args: { templates } }] };
    const answer = JSON.stringify(await call(verb, large));
    expect(answer).toContain('the definition must have at most 131072 characters');
    expect(answer.length).toBeLessThan(1_000);
  });
});

/** Returns the answer and the warnings that are logged. */
const warnedBy = async (verb: (typeof VERBS)[number], parts: object) => {
  const ports = workflowPorts();
  const result = await call(verb, { ...DEFINITION, ...parts }, ports);
  return { result, warned: ports.orders.filter((line) => line.startsWith('warn ')) };
};

const STORED = { steps: [{ ...STEP, store: true }] };
const SHOWN = { steps: [{ ...STEP, output: true }] };
const OUTPUT = { output: { a: 1 } };

requirement('2.7/store-warning-authoring', () => {
  it.each(VERBS)('is logged by %s, as one line', async (verb) => {
    const { result, warned } = await warnedBy(verb, STORED);
    expect(result).not.toHaveProperty('isError');
    expect(warned).toEqual([
      expect.stringMatching(/^warn Workflow "w" uses the deprecated 'store' flag on: read\. .*$/),
    ]);
  });
  it.each([
    ['output, which is not deprecated', SHOWN],
    ['a refused definition', { ...STORED, args: { x: {} } }],
  ])('is not logged of %s', async (_, parts) => {
    expect(await warnedBy('create', parts)).toMatchObject({ warned: [] });
  });
});

requirement('2.7/output-inert-warning', () => {
  it.each(VERBS)('is logged by %s, and names the steps', async (verb) => {
    const { warned } = await warnedBy(verb, { ...SHOWN, ...OUTPUT });
    expect(warned).toEqual([
      expect.stringMatching(
        /^warn Workflow "w" declares a workflow-level 'output' template, .* have no effect .*: read\. .*$/,
      ),
    ]);
  });
  it.each([
    ['without an output template', SHOWN],
    ['of steps without flags', OUTPUT],
  ])('is not logged %s', async (_, parts) => {
    expect(await warnedBy('create', parts)).toMatchObject({ warned: [] });
  });
});

it.each([
  ['create', 'Workflow created successfully'],
  ['update', "Workflow 'w' updated successfully"],
  ['validate', 'Validation successful for workflow w'],
] as const)('warnings follow the sentence of %s, a line each', async (verb, text) => {
  const { result, warned } = await warnedBy(verb, { ...STORED, ...OUTPUT });
  expect(warned).toHaveLength(2);
  const warnings = warned.map((line) => line.replace('warn ', ''));
  expect(result).toEqual(sentence([text, ...warnings].join('\n'), { warnings }));
});

it('treats a hostile definition as data', async () => {
  let nested: unknown = [STEP];
  for (let level = 0; level < 100_000; level += 1)
    nested = [{ id: 'a', forEach: { items: '{{ .input.x }}', steps: nested } }];
  const polluting: unknown = JSON.parse('[{"id":"a","tool":"t","__proto__":1}]');
  for (const steps of [nested, polluting])
    expect(await call('validate', { name: 'w', steps })).toMatchObject({ isError: true });
});
