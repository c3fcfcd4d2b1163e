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

/** A step as a document tells of it. */
const toldStep = (id: string, more: object = {}) => ({
  id,
  tool: 'x_git_log',
  status: 'completed',
  ...more,
});

/** The document of a run of this workflow. */
const toldRun = (workflow: string, more: object = {}) => ({
  execution_id: 'run-1',
  workflow,
  status: 'completed',
  input: { repo: 'gateway' },
  template_vars: [],
  ...more,
});

const withOutput = workflowOf({ steps: [{ id: 'log', tool: 'x_git_log' }], output: { n: 1 } });

requirement('2.7/default-response', () => {
  it('is told of a run without an output template', () => {
    const run = finishedRun({ entries: [entry('log', { shown: true, result: { n: 2 } })] });
    const text =
      '{"execution_id":"run-1","workflow":"changes","status":"completed","input":{"repo":"gateway"},' +
      '"steps":[{"id":"log","tool":"x_git_log","status":"completed","result":{"n":2}}],"template_vars":[]}';
    expect(toRunResult(run)).toEqual({ content: [{ type: 'text', text }] });
  });

  it('tells of each step how its condition was decided', () => {
    const condition = { passed: false, result: { state: 'busy' }, tool: 'x_git_status' };
    const skipped = entry('log', { status: 'skipped', condition, shown: true });
    const decided = {
      condition_evaluation: false,
      condition_result: { state: 'busy' },
      condition_tool: 'x_git_status',
    };
    expect(findSteps(finishedRun({ entries: [skipped] }))).toEqual([
      toldStep('log', { status: 'skipped', ...decided }),
    ]);
  });

  it('tells of a tolerated failure, and of iterations', () => {
    const error = 'no such file';
    const failed = { status: 'failed', error, allowFailure: true } as const;
    const result = { error, success: false, isError: true };
    const entries = [
      entry('get', { iteration: 0, result: 1, shown: true }),
      entry('get', { iteration: 1, ...failed, result }),
    ];
    expect(findSteps(finishedRun({ entries }))).toEqual([
      toldStep('get', { iteration: 0, result: 1 }),
      toldStep('get', { iteration: 1, status: 'failed', allow_failure: true, error }),
    ]);
  });
});

describe('the result of the last step', () => {
  const run = (step: object, last: Partial<StepEntry>) => {
    const log = { id: 'log', tool: 'x', ...step };
    const workflow = workflowOf({ steps: [{ id: 'a', tool: 'x' }, log] });
    const entries = [entry('a', { result: { from: 'a' } }), entry('log', last)];
    return createDocumentValue(finishedRun({ workflow, entries }));
  };
  const steps = [toldStep('a'), toldStep('log')];
  const bare = toldRun('demo', { steps });

  it('is merged into the document when nobody flagged the step', () => {
    const result = { content: 'hello', n: null };
    expect(run({}, { result })).toEqual({ ...bare, ...result });
  });

  it('never takes the place of what the document says', () => {
    const own = Object.fromEntries(Object.keys(bare).map((key) => [key, 'x']));
    expect(run({}, { result: { ...own, more: 1 } })).toEqual({ ...bare, more: 1 });
  });

  it.each([[[1]], ['text'], [5], [null]] as const)('is not merged when it is %j', (result) => {
    expect(run({}, { result })).toEqual(bare);
  });

  it('is not merged when the step is flagged, either way', () => {
    const result = { n: 1 };
    expect(run({ output: false }, { result })).toEqual(bare);
    for (const flag of [{ output: true }, { store: true }]) {
      const shown = [steps[0], toldStep('log', { result })];
      expect(run(flag, { result, shown: true })).toEqual({ ...bare, steps: shown });
    }
  });

  it('is not merged when the step failed or did not run', () => {
    const failed = run({}, { status: 'failed', result: { error: 'x' }, error: 'x' });
    expect(failed).not.toHaveProperty('error');
    expect(run({}, { status: 'skipped' })).not.toHaveProperty('from');
  });

  it('is not merged when it is that of a loop', () => {
    const forEach = { items: '{{ .input.x }}', steps: [{ id: 'b', tool: 'x' }] };
    const workflow = workflowOf({ steps: [{ id: 'log', forEach }] });
    const entries = [entry('b', { iteration: 0, result: { n: 1 } })];
    expect(createDocumentValue(finishedRun({ workflow, entries }))).not.toHaveProperty('n');
  });

  it('may hold the names of prototypes', () => {
    const result = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as JsonValue;
    expect(JSON.stringify(run({}, { result }))).toContain(
      '"template_vars":[],"__proto__":{"a":1},"constructor":2}',
    );
  });
});

requirement('2.7/output-flag', () => {
  const entries = [
    entry('a', { shown: true, result: 1 }),
    entry('b', { shown: false, result: 2 }),
    entry('c', { shown: true, result: null }),
  ];

  it('shows the results of the steps that ask for it, and of no other', () => {
    const told = [toldStep('a', { result: 1 }), toldStep('b'), toldStep('c')];
    expect(findSteps(finishedRun({ entries }))).toEqual(told);
  });

  it('does not matter with _debug', () => {
    const told = [toldStep('a', { result: 1 }), toldStep('b', { result: 2 }), toldStep('c')];
    expect(findSteps(finishedRun({ entries, debug: true }))).toEqual(told);
  });
});

requirement('2.7/output-replaces', () => {
  it('the rendered document stands alone, with the identity of the run', () => {
    const entries = [entry('log', { shown: true, result: { secret: 1 } })];
    const end = { kind: 'rendered', output: { n: 1, list: [] } } as const;
    expect(toRunResult(finishedRun({ workflow: withOutput, entries, end }))).toEqual({
      content: [{ type: 'text', text: '{"n":1,"list":[],"execution_id":"run-1"}' }],
    });
  });

  it('keeps its own execution_id', () => {
    const end = { kind: 'rendered', output: { execution_id: 'mine' } } as const;
    const run = finishedRun({ workflow: withOutput, end });
    expect(createDocumentValue(run)).toEqual({ execution_id: 'mine' });
  });

  it.each([[[1, 2]], ['text'], [null]] as const)('has the identity beside %j', (output) => {
    const end = { kind: 'rendered', output: output as JsonValue } as const;
    expect(toRunResult(finishedRun({ workflow: withOutput, end }))).toEqual({
      content: [
        { type: 'text', text: JSON.stringify(output) },
        { type: 'text', text: '{"execution_id":"run-1"}' },
      ],
    });
  });

  it('stands inside the default document with _debug', () => {
    const entries = [entry('log', { result: { n: 3 } })];
    const end = { kind: 'rendered', output: { n: 1 } } as const;
    const run = finishedRun({ workflow: withOutput, debug: true, entries, end });
    const steps = [toldStep('log', { result: { n: 3 } })];
    expect(createDocumentValue(run)).toEqual(toldRun('demo', { steps, output: { n: 1 } }));
  });
});

requirement('2.7/output-inert-flags', () => {
  it('a shown and a hidden result make the same document', () => {
    const end = { kind: 'rendered', output: { n: 1 } } as const;
    const withFlag = (shown: boolean) => {
      const entries = [entry('log', { shown, result: { n: 3 } })];
      return toRunResult(finishedRun({ workflow: withOutput, entries, end }));
    };
    expect(withFlag(true)).toEqual(withFlag(false));
    expect(JSON.stringify(withFlag(true))).not.toContain('3');
  });
});

describe('a run that failed', () => {
  it('is told with what it did until then, and with the reason', () => {
    const failed = { status: 'failed', error: 'no permission' } as const;
    const entries = [entry('log', { shown: true, result: 1 }), entry('push', failed)];
    const error = 'step push failed: no permission';
    const run = finishedRun({ entries, end: { kind: 'failed', error } });
    const steps = [toldStep('log', { result: 1 }), toldStep('push', failed)];
    expect(toRunResult(run)['isError']).toBe(true);
    expect(createDocumentValue(run)).toEqual(
      toldRun('changes', { status: 'failed', steps, error }),
    );
  });

  it('says only why when its arguments were refused, in JSON whatever they held', () => {
    const error = `input validation failed: field 'a"b' has wrong type, expected string`;
    const text = `{"execution_id":"run-1","error":"input validation failed: field 'a\\"b' has wrong type, expected string"}`;
    expect(toRunResult(finishedRun({ end: { kind: 'refused', error } }))).toEqual({
      content: [{ type: 'text', text }],
      isError: true,
    });
  });

  it('shows every result when only its output template failed', () => {
    const error = 'failed to render output template: output.n: no';
    const entries = [entry('log', { result: { n: 3 } })];
    const end = { kind: 'output-failed', error } as const;
    const run = finishedRun({ workflow: withOutput, entries, end });
    const steps = [toldStep('log', { result: { n: 3 } })];
    expect(toRunResult(run)['isError']).toBe(true);
    expect(createDocumentValue(run)).toEqual(toldRun('demo', { steps, output_error: error }));
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
    const text = JSON.stringify(tooLarge(bytes - 1));
    const result = { content: [{ type: 'text', text }], isError: true };
    expect(toRunResult(run, createDeliveredDocument(run, bytes - 1))).toEqual(result);
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
