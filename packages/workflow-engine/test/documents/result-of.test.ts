import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@gateway/crd-schemas';
import {
  createDeliveredDocument,
  MAX_DOCUMENT_BYTES,
  toRunResult,
} from '../../src/records/run-document.ts';
import type { FinishedRun, StepEntry } from '../../src/model/finished-run.ts';
import { entry, finishedRun } from '../finished-run.ts';
import { requirement } from '../requirement.ts';
import { workflowOf } from '../run-harness.ts';

/** The JSON of the only text item. */
const createDocumentValue = (run: FinishedRun): unknown => {
  const { content } = toRunResult(run) as { content: readonly { type: string; text: string }[] };
  expect(content.map(({ type }) => type)).toEqual(['text']);
  return JSON.parse(content[0]!.text);
};

const findSteps = (run: FinishedRun): unknown =>
  (createDocumentValue(run) as { steps: unknown }).steps;

const withOutput = workflowOf({ steps: [{ id: 'log', tool: 'x_git_log' }], output: { n: 1 } });

requirement('2.7/default-response', () => {
  it('is told of a run without an output template', () => {
    const run = finishedRun({ entries: [entry('log', { shown: true, result: { n: 2 } })] });
    expect(toRunResult(run)).toEqual({
      content: [
        {
          type: 'text',
          text:
            '{"execution_id":"run-1","workflow":"changes","status":"completed","input":{"repo":"gateway"},' +
            '"steps":[{"id":"log","tool":"x_git_log","status":"completed","result":{"n":2}}],"template_vars":[]}',
        },
      ],
    });
  });

  it('tells of each step how its condition was decided', () => {
    const condition = { passed: false, result: { state: 'busy' }, tool: 'x_git_status' };
    const skipped = entry('log', { status: 'skipped', condition, shown: true });
    expect(findSteps(finishedRun({ entries: [skipped] }))).toEqual([
      {
        id: 'log',
        tool: 'x_git_log',
        status: 'skipped',
        condition_evaluation: false,
        condition_result: { state: 'busy' },
        condition_tool: 'x_git_status',
      },
    ]);
  });

  it('tells of a tolerated failure, and of iterations', () => {
    const entries = [
      entry('get', { iteration: 0, result: 1, shown: true }),
      entry('get', {
        iteration: 1,
        status: 'failed',
        error: 'no such file',
        allowFailure: true,
        result: { error: 'no such file', success: false, isError: true },
      }),
    ];
    expect(findSteps(finishedRun({ entries }))).toEqual([
      { id: 'get', iteration: 0, tool: 'x_git_log', status: 'completed', result: 1 },
      {
        id: 'get',
        iteration: 1,
        tool: 'x_git_log',
        status: 'failed',
        allow_failure: true,
        error: 'no such file',
      },
    ]);
  });

  it('names the arguments that steps refer to', () => {
    const workflow = workflowOf({
      steps: [
        { id: 'a', tool: 'x', args: { b: '{{ .input.repo.name }} at {{.input.depth}}' } },
        { id: 'c', parallel: [{ id: 'd', tool: 'x', args: { e: ['{{ $.input.repo.name }}'] } }] },
      ],
    });
    expect(createDocumentValue(finishedRun({ workflow }))).toMatchObject({
      template_vars: ['input.repo.name', 'input.depth'],
    });
  });
});

describe('the result of the last step', () => {
  const run = (step: object, last: Partial<StepEntry>) =>
    createDocumentValue(
      finishedRun({
        workflow: workflowOf({
          steps: [
            { id: 'a', tool: 'x' },
            { id: 'log', tool: 'x', ...step },
          ],
        }),
        entries: [entry('a', { result: { from: 'a' } }), entry('log', last)],
      }),
    );
  const bare = {
    execution_id: 'run-1',
    workflow: 'demo',
    status: 'completed',
    input: { repo: 'gateway' },
    template_vars: [],
  };
  const steps = [
    { id: 'a', tool: 'x_git_log', status: 'completed' },
    { id: 'log', tool: 'x_git_log', status: 'completed' },
  ];

  it('is merged into the document when nobody flagged the step', () => {
    expect(run({}, { result: { content: 'hello', n: null } })).toEqual({
      ...bare,
      steps,
      content: 'hello',
      n: null,
    });
  });

  it('never takes the place of what the document says', () => {
    const result = {
      execution_id: 'x',
      workflow: 'x',
      status: 'x',
      input: 'x',
      steps: 'x',
      template_vars: 'x',
      more: 1,
    };
    expect(run({}, { result })).toEqual({ ...bare, steps, more: 1 });
  });

  it('is not merged when it is no object', () => {
    for (const result of [[1], 'text', 5, null] as const) {
      expect(run({}, { result })).toEqual({ ...bare, steps });
    }
  });

  it('is not merged when the step is flagged, either way', () => {
    expect(run({ output: false }, { result: { n: 1 } })).toEqual({ ...bare, steps });
    for (const flag of [{ output: true }, { store: true }]) {
      expect(run(flag, { result: { n: 1 }, shown: true })).toEqual({
        ...bare,
        steps: [steps[0], { ...steps[1], result: { n: 1 } }],
      });
    }
  });

  it('is not merged when the step failed or did not run', () => {
    expect(run({}, { status: 'failed', result: { error: 'x' }, error: 'x' })).not.toHaveProperty(
      'error',
    );
    expect(run({}, { status: 'skipped' })).not.toHaveProperty('from');
  });

  it('is not merged when it is that of a loop', () => {
    const workflow = workflowOf({
      steps: [{ id: 'log', forEach: { items: '{{ .input.x }}', steps: [{ id: 'b', tool: 'x' }] } }],
    });
    const entries = [entry('b', { iteration: 0, result: { n: 1 } })];
    expect(createDocumentValue(finishedRun({ workflow, entries }))).not.toHaveProperty('n');
  });

  it('may hold the names of prototypes', () => {
    const result = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as JsonValue;
    const { content } = toRunResult(
      finishedRun({
        workflow: workflowOf({ steps: [{ id: 'log', tool: 'x' }] }),
        entries: [entry('log', { result })],
      }),
    ) as { content: readonly { text: string }[] };
    expect(content[0]!.text).toContain('"template_vars":[],"__proto__":{"a":1},"constructor":2}');
  });
});

requirement('2.7/output-flag', () => {
  const entries = [
    entry('a', { shown: true, result: 1 }),
    entry('b', { shown: false, result: 2 }),
    entry('c', { shown: true, result: null }),
  ];

  it('shows the results of the steps that ask for it, and of no other', () => {
    expect(findSteps(finishedRun({ entries }))).toEqual([
      { id: 'a', tool: 'x_git_log', status: 'completed', result: 1 },
      { id: 'b', tool: 'x_git_log', status: 'completed' },
      { id: 'c', tool: 'x_git_log', status: 'completed' },
    ]);
  });

  it('does not matter with _debug', () => {
    expect(findSteps(finishedRun({ entries, debug: true }))).toEqual([
      { id: 'a', tool: 'x_git_log', status: 'completed', result: 1 },
      { id: 'b', tool: 'x_git_log', status: 'completed', result: 2 },
      { id: 'c', tool: 'x_git_log', status: 'completed' },
    ]);
  });
});

requirement('2.7/output-replaces', () => {
  it('the rendered document stands alone, with the identity of the run', () => {
    const run = finishedRun({
      workflow: withOutput,
      entries: [entry('log', { shown: true, result: { secret: 1 } })],
      end: { kind: 'rendered', output: { n: 1, list: [] } },
    });
    expect(toRunResult(run)).toEqual({
      content: [{ type: 'text', text: '{"n":1,"list":[],"execution_id":"run-1"}' }],
    });
  });

  it('keeps its own execution_id', () => {
    const end = { kind: 'rendered', output: { execution_id: 'mine' } } as const;
    expect(createDocumentValue(finishedRun({ workflow: withOutput, end }))).toEqual({
      execution_id: 'mine',
    });
  });

  it('has the identity beside it when it is no object', () => {
    for (const [output, text] of [
      [[1, 2], '[1,2]'],
      ['text', '"text"'],
      [null, 'null'],
    ] as const) {
      expect(
        toRunResult(finishedRun({ workflow: withOutput, end: { kind: 'rendered', output } })),
      ).toEqual({
        content: [
          { type: 'text', text },
          { type: 'text', text: '{"execution_id":"run-1"}' },
        ],
      });
    }
  });

  it('stands inside the default document with _debug', () => {
    const run = finishedRun({
      workflow: withOutput,
      debug: true,
      entries: [entry('log', { result: { n: 3 } })],
      end: { kind: 'rendered', output: { n: 1 } },
    });
    expect(createDocumentValue(run)).toEqual({
      execution_id: 'run-1',
      workflow: 'demo',
      status: 'completed',
      input: { repo: 'gateway' },
      steps: [{ id: 'log', tool: 'x_git_log', status: 'completed', result: { n: 3 } }],
      template_vars: [],
      output: { n: 1 },
    });
  });
});

requirement('2.7/output-inert-flags', () => {
  it('a shown and a hidden result make the same document', () => {
    const withFlag = (shown: boolean) =>
      toRunResult(
        finishedRun({
          workflow: withOutput,
          entries: [entry('log', { shown, result: { n: 3 } })],
          end: { kind: 'rendered', output: { n: 1 } },
        }),
      );
    expect(withFlag(true)).toEqual(withFlag(false));
    expect(JSON.stringify(withFlag(true))).not.toContain('3');
  });

  it('they matter without an output template', () => {
    const withFlag = (shown: boolean) =>
      findSteps(finishedRun({ entries: [entry('log', { shown, result: { n: 3 } })] }));
    expect(withFlag(true)).not.toEqual(withFlag(false));
  });
});

describe('a run that failed', () => {
  it('is told with what it did until then, and with the reason', () => {
    const run = finishedRun({
      entries: [
        entry('log', { shown: true, result: 1 }),
        entry('push', { status: 'failed', error: 'no permission' }),
      ],
      end: { kind: 'failed', error: 'step push failed: no permission' },
    });
    expect(toRunResult(run)['isError']).toBe(true);
    expect(createDocumentValue(run)).toEqual({
      execution_id: 'run-1',
      workflow: 'changes',
      status: 'failed',
      input: { repo: 'gateway' },
      steps: [
        { id: 'log', tool: 'x_git_log', status: 'completed', result: 1 },
        { id: 'push', tool: 'x_git_log', status: 'failed', error: 'no permission' },
      ],
      template_vars: [],
      error: 'step push failed: no permission',
    });
  });

  it('says only why when its arguments were refused, in JSON whatever they held', () => {
    const error = `input validation failed: field 'a"b' has wrong type, expected string`;
    expect(toRunResult(finishedRun({ end: { kind: 'refused', error } }))).toEqual({
      content: [
        {
          type: 'text',
          text: `{"execution_id":"run-1","error":"input validation failed: field 'a\\"b' has wrong type, expected string"}`,
        },
      ],
      isError: true,
    });
  });

  it('shows every result when only its output template failed', () => {
    const error = 'failed to render output template: output.n: no';
    const run = finishedRun({
      workflow: withOutput,
      entries: [entry('log', { result: { n: 3 } })],
      end: { kind: 'output-failed', error },
    });
    expect(toRunResult(run)['isError']).toBe(true);
    expect(createDocumentValue(run)).toEqual({
      execution_id: 'run-1',
      workflow: 'demo',
      status: 'completed',
      input: { repo: 'gateway' },
      steps: [{ id: 'log', tool: 'x_git_log', status: 'completed', result: { n: 3 } }],
      template_vars: [],
      output_error: error,
    });
  });

  it('has no isError when it did not', () => {
    expect(Object.keys(toRunResult(finishedRun()))).toEqual(['content']);
  });
});

describe('a document that is too large', () => {
  const tooLarge = (maxBytes: number) => ({
    execution_id: 'run-1',
    workflow: 'changes',
    error: `the result of the workflow is larger than ${maxBytes} bytes or nests too deeply`,
  });
  const withResult = (result: JsonValue) =>
    finishedRun({ entries: [entry('log', { shown: true, result })] });

  it('is a failure that says so', () => {
    const run = withResult('é');
    const bytes = Buffer.byteLength(JSON.stringify(createDocumentValue(run)));
    expect(toRunResult(run, createDeliveredDocument(run, bytes))).toEqual(toRunResult(run));
    expect(toRunResult(run, createDeliveredDocument(run, bytes - 1))).toEqual({
      content: [{ type: 'text', text: JSON.stringify(tooLarge(bytes - 1)) }],
      isError: true,
    });
    expect(MAX_DOCUMENT_BYTES).toBe(67_108_864);
  });

  it('is a failure when results share so much that their text would never end', () => {
    let result: JsonValue = ['0123456789'.repeat(100)];
    for (let level = 0; level < 60; level += 1) result = [result, result];
    expect(createDocumentValue(withResult(result))).toEqual(tooLarge(67_108_864));
  });

  it('is a failure when it nests too deeply', () => {
    const nested = (levels: number): JsonValue =>
      JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as JsonValue;
    expect(findSteps(withResult(nested(1900)))).toHaveLength(1);
    expect(createDocumentValue(withResult(nested(100_000)))).toEqual(tooLarge(67_108_864));
  });
});
