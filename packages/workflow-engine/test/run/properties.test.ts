import type { CallOutcome } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import type { ExecutionRecord, JsonMap, JsonValue } from '@gateway/crd-schemas';
import { createWorkflowEngine, type ToolCall } from '../../src/index.ts';
import { anyJson, fc } from '../fast-check.ts';
import { jsonResult, workflowOf } from '../run-harness.ts';

/** How a tool behaves. */
type Behaviour = 'answers' | 'fails' | 'is gone' | 'throws' | 'is late' | 'never answers';

/** One tool step; its tool carries its id, so that a call tells whose it is. */
interface Plan {
  readonly id: string;
  readonly behaviour: Behaviour;
  readonly condition: 'none' | 'true' | 'false' | 'tool-true' | 'tool-false';
  readonly allowFailure: boolean;
}

type StepSpec = Readonly<Record<string, unknown>>;

const CONDITIONS: Readonly<Record<Plan['condition'], unknown>> = {
  none: undefined,
  true: { template: '{{ eq .input.one 1 }}' },
  false: { template: '{{ eq .input.one 2 }}' },
  'tool-true': { tool: 'check', expect: { success: true } },
  'tool-false': { tool: 'check', expectNot: { success: true } },
};

const specOf = ({ id, behaviour, condition, allowFailure }: Plan): StepSpec => ({
  id,
  tool: `${behaviour}:${id}`,
  args: { seen: '{{ .results }}' },
  allowFailure,
  ...(condition !== 'none' && { condition: CONDITIONS[condition] }),
});

const plan = (behaviours: readonly Behaviour[]) =>
  fc.record({
    behaviour: fc.constantFrom(...behaviours),
    condition: fc.constantFrom(...(Object.keys(CONDITIONS) as Plan['condition'][])),
    allowFailure: fc.boolean(),
  });

const ENDING: readonly Behaviour[] = ['answers', 'fails', 'is gone', 'throws', 'is late'];

/** A workflow of tool steps, groups and loops, with the plan of every step that it has. */
const someWorkflow = (behaviours = ENDING) =>
  fc
    .tuple(
      fc.array(
        fc.record({
          kind: fc.constantFrom('tool', 'parallel', 'forEach'),
          plans: fc.array(plan(behaviours), { minLength: 1, maxLength: 4 }),
          allowFailure: fc.boolean(),
        }),
        { minLength: 1, maxLength: 5 },
      ),
      fc.array(plan(behaviours), { maxLength: 2 }),
    )
    .map(([parts, handlers]) => {
      const named = (given: readonly Omit<Plan, 'id'>[], at: string): Plan[] =>
        given.map((one, index) => ({ ...one, id: `s${at}-${index}` }));
      const groups = parts.map(({ plans }, index) => named(plans, String(index)));
      const steps = parts.flatMap(({ kind, allowFailure }, index): StepSpec[] => {
        const subs = groups[index]!.map(specOf);
        const whole = { id: `c${index}`, allowFailure };
        if (kind === 'parallel') return [{ ...whole, parallel: subs }];
        if (kind === 'forEach')
          return [{ ...whole, forEach: { items: '{{ .input.list }}', steps: subs } }];
        return subs;
      });
      const onFailure = named(handlers, 'h');
      return {
        spec: { steps, onFailure: onFailure.map(specOf) },
        plans: [...groups.flat(), ...onFailure],
        siblings: groups
          .filter((_, index) => parts[index]!.kind === 'parallel')
          .map((group) => group.map(({ id }) => id)),
      };
    });

const behave: Readonly<Record<Behaviour, () => Promise<CallOutcome>>> = {
  answers: () => Promise.resolve({ ok: true, result: jsonResult({ done: true }) }),
  fails: () => Promise.resolve({ ok: true, result: { ...jsonResult('no'), isError: true } }),
  'is gone': () => Promise.resolve({ ok: false, text: 'gone' }),
  throws: () => {
    throw new Error('thrown');
  },
  'is late': async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return { ok: true, result: jsonResult({ done: 'late' }) };
  },
  'never answers': () => new Promise(() => undefined),
};

const idOf = ({ tool }: ToolCall): string => tool.slice(tool.indexOf(':') + 1);

const runOf = async (spec: unknown, cancelAfter = Infinity) => {
  const calls: ToolCall[] = [];
  const records: ExecutionRecord[] = [];
  const caller = new AbortController();
  const engine = createWorkflowEngine(
    {
      callTool: (call) => {
        if (call.tool === 'check') return behave.answers();
        // What the call saw is kept as text: later changes would show.
        calls.push({ ...call, arguments: JSON.parse(JSON.stringify(call.arguments)) as JsonMap });
        if (calls.length === cancelAfter) setImmediate(() => caller.abort());
        return behave[call.tool.slice(0, call.tool.indexOf(':')) as Behaviour]();
      },
      now: () => Date.now(),
      newId: () => 'run',
      warn: () => undefined,
      record: (record) => void records.push(record),
    },
    { cleanupMs: 5 },
  );
  const result = await engine.run(
    workflowOf(spec),
    { one: 1, list: ['a', 'b'] },
    { signal: caller.signal },
  );
  return { calls, records, result };
};

const holdsFor = async <T>(
  values: fc.Arbitrary<T>,
  holds: (value: T) => Promise<void>,
  runs = 100,
) => fc.assert(fc.asyncProperty(values, holds), { numRuns: runs });

describe('any workflow', () => {
  it('never calls the tool of a step whose condition is false', () =>
    holdsFor(someWorkflow(), async ({ spec, plans }) => {
      const { calls } = await runOf(spec);
      const closed = plans.filter(({ condition }) => condition.endsWith('false'));
      const called = new Set(calls.map(idOf));
      expect(closed.filter(({ id }) => called.has(id))).toEqual([]);
    }));

  it('never shows a parallel sub-step anything of its siblings', () =>
    holdsFor(someWorkflow(), async ({ spec, siblings }) => {
      const { calls } = await runOf(spec);
      for (const group of siblings) {
        const made = calls.filter((call) => group.includes(idOf(call)));
        const seen = made.map(({ arguments: args }) => args['seen'] as JsonMap);
        for (const results of seen) {
          expect(results).toEqual(seen[0]);
          expect(Object.keys(results).filter((key) => group.includes(key))).toEqual([]);
        }
      }
    }));

  it('ends with one result and two records', () =>
    holdsFor(someWorkflow(), async ({ spec }) => {
      const { records, result } = await runOf(spec);
      const [{ text }] = result['content'] as [{ readonly text: string }];
      const failed = result['isError'] === true;
      expect(JSON.parse(text)).toMatchObject({
        execution_id: 'run',
        status: failed ? 'failed' : 'completed',
      });
      expect(records.map(({ status }) => status)).toEqual([
        'inprogress',
        failed ? 'failed' : 'completed',
      ]);
    }));

  it('ends when it is cancelled, though no tool ever answers', () =>
    holdsFor(
      fc.tuple(someWorkflow(['never answers']), fc.constantFrom(1, 1, 2)),
      async ([{ spec, plans }, cancelAfter]) => {
        const callable = plans.some(
          ({ condition, id }) => !condition.endsWith('false') && !id.startsWith('sh'),
        );
        const { records, result } = await runOf(spec, callable ? 1 : cancelAfter);
        expect(result['isError'] === true).toBe(callable);
        expect(records).toHaveLength(2);
      },
      40,
    ));

  it('passes any JSON argument on as it is through a bare reference', () =>
    holdsFor(
      fc.record({
        value: anyJson,
        name: fc.constantFrom('v', 'constructor', '__proto__'),
      }),
      async ({ value, name }) => {
        const input = JSON.parse(JSON.stringify({ x: value })) as { x: JsonValue };
        const args = JSON.parse(`{"${name}":"{{ .input.x }}"}`) as JsonMap;
        const spec = {
          steps: [{ id: 'a', tool: 'echo', args, output: true }],
          output: { back: `{{ index .results.a "${name}" }}` },
        };
        const engine = createWorkflowEngine({
          callTool: ({ arguments: given }) =>
            Promise.resolve({ ok: true, result: jsonResult(given) }),
          now: () => 0,
          newId: () => 'run',
          warn: () => undefined,
          record: () => undefined,
        });
        const options = { signal: new AbortController().signal };
        const result = await engine.run(workflowOf(spec), input, options);
        const [{ text }] = result['content'] as [{ readonly text: string }];
        expect(JSON.parse(text)).toEqual({ execution_id: 'run', back: input.x });
      },
      200,
    ));
});
