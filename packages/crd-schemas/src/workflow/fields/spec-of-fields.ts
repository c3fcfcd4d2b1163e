import type { JsonMap, JsonValue } from '@gateway/go-template';
import type { ConditionFields, ExpectationFields } from './condition-fields.ts';
import type { StepFields, SubStepFields, WorkflowSpecFields } from './spec-fields.ts';
import type {
  ArgumentDefinition,
  Condition,
  Expectation,
  Expectations,
  Step,
  SubStep,
  Templated,
  ValueExpectation,
  WorkflowSpec,
} from '../model/workflow.ts';

const NO_VALUES: JsonMap = Object.freeze(Object.create(null) as Record<string, JsonValue>);
const NO_ARGS: Templated<JsonMap> = Object.freeze({
  source: NO_VALUES,
  parsed: { kind: 'constant' as const, value: NO_VALUES },
});
const NO_ARGUMENTS: Readonly<Record<string, ArgumentDefinition>> = Object.freeze(
  Object.create(null) as Record<string, ArgumentDefinition>,
);

const valueExpectationsOf = (
  entries: NonNullable<ExpectationFields['jsonPath']>,
): readonly ValueExpectation[] =>
  Object.freeze(
    entries.map(({ written, key, value }) =>
      Object.freeze({ written, place: key, expected: value }),
    ),
  );

const expectationOf = ({ success, jsonPath: entries }: ExpectationFields): Expectation => {
  if (entries === undefined) return Object.freeze(success === undefined ? {} : { success });
  const jsonPath = valueExpectationsOf(entries);
  return Object.freeze(success === undefined ? { jsonPath } : { success, jsonPath });
};

const expectationsOf = ({ expect, expectNot }: ConditionFields): Expectations => ({
  ...(expect === undefined ? {} : { expect: expectationOf(expect) }),
  ...(expectNot === undefined ? {} : { expectNot: expectationOf(expectNot) }),
});

const conditionOf = (fields: ConditionFields): Condition => {
  const { template, tool, args, fromStep } = fields;
  const expectations = expectationsOf(fields);
  if (template !== undefined) {
    return Object.freeze({ source: 'template', template, ...expectations });
  }
  if (tool !== undefined) {
    return Object.freeze({ source: 'tool', tool, args: args ?? NO_ARGS, ...expectations });
  }
  if (fromStep === undefined) throw new Error('a condition got past the rules without a source');
  return Object.freeze({ source: 'fromStep', fromStep, ...expectations });
};

const baseOf = ({
  id,
  condition,
  output,
  store,
  allowFailure,
  description,
}: StepFields | SubStepFields) => ({
  id,
  ...(condition === undefined ? {} : { condition: conditionOf(condition) }),
  ...(output === undefined ? {} : { output }),
  ...(store === undefined ? {} : { store }),
  allowFailure,
  ...(description === undefined ? {} : { description }),
});

const subStepOf = (fields: SubStepFields): SubStep =>
  Object.freeze({
    kind: 'tool',
    ...baseOf(fields),
    tool: fields.tool,
    args: fields.args ?? NO_ARGS,
  });

const stepOf = (fields: StepFields): Step => {
  const { tool, args, forEach, parallel } = fields;
  if (tool !== undefined) {
    return Object.freeze({ kind: 'tool', ...baseOf(fields), tool, args: args ?? NO_ARGS });
  }
  if (forEach !== undefined) {
    const steps = Object.freeze(forEach.steps.map(subStepOf));
    return Object.freeze({
      kind: 'forEach',
      ...baseOf(fields),
      forEach: Object.freeze({ items: forEach.items, as: forEach.as, steps }),
    });
  }
  if (parallel === undefined) throw new Error('a step got past the rules without a kind');
  return Object.freeze({
    kind: 'parallel',
    ...baseOf(fields),
    parallel: Object.freeze(parallel.map(subStepOf)),
  });
};

/** Returns the spec of fields that satisfy every rule; fields without meaning for the kind of a step are dropped. */
export const specOfFields = (fields: WorkflowSpecFields): WorkflowSpec =>
  Object.freeze({
    description: fields.description,
    args: fields.args ?? NO_ARGUMENTS,
    steps: Object.freeze(fields.steps.map(stepOf)),
    onFailure: Object.freeze(fields.onFailure.map(subStepOf)),
    ...(fields.output === undefined ? {} : { output: fields.output }),
  });
