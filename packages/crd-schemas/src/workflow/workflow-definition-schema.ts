import type { JsonMap } from '@gateway/go-template';
import { VARIABLE_NAME } from '../fields/field-facts.ts';
import {
  DEFAULT_LOOP_VARIABLE,
  MAX_DESCRIPTION_CHARS,
  MAX_STEPS,
  MAX_SUB_STEPS,
  MAX_WORKFLOW_ARGS,
  MAX_WORKFLOW_DESCRIPTION_CHARS,
} from '../fields/limits.ts';
import { STEP_ID_BOUNDS } from './step-places.ts';
import { ARGUMENT_TYPES } from './workflow.ts';

/** Returns the schema of an object with these members and no others. */
const closed = (required: readonly string[], properties: JsonMap, rest: JsonMap = {}): JsonMap => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  ...rest,
  additionalProperties: false,
});

const having = (name: string): JsonMap => ({ required: [name] });

const text = (description: string): JsonMap => ({ type: 'string', description });
const flag = (description: string): JsonMap => ({ type: 'boolean', description });

const note: JsonMap = { type: 'string', maxLength: MAX_DESCRIPTION_CHARS };

const toolArgs = (of: string): JsonMap => ({
  type: 'object',
  description: `Arguments of ${of}; texts may be templates: {{ .input.<arg> }}, {{ .results.<id>.<field> }}`,
});

const expectation = (description: string): JsonMap =>
  closed(
    [],
    {
      success: flag('True for a call that succeeded'),
      jsonPath: { type: 'object', description: 'Path in the result to the value it must have' },
    },
    { description, minProperties: 1 },
  );

const condition = closed(
  [],
  {
    template: text('Runs the step only when it renders to true'),
    tool: text('Tool to call for the check'),
    args: toolArgs('the tool'),
    fromStep: text('Id of the earlier step whose result is checked'),
    expect: expectation('The expectation that must hold'),
    expectNot: expectation('The expectation that must not hold'),
  },
  {
    description: 'The condition for running the step: exactly one of template, tool, fromStep',
    oneOf: [having('template'), having('tool'), having('fromStep')],
    anyOf: [having('template'), having('expect'), having('expectNot')],
  },
);

const id: JsonMap = {
  type: 'string',
  minLength: STEP_ID_BOUNDS.min,
  maxLength: STEP_ID_BOUNDS.max,
  pattern: STEP_ID_BOUNDS.pattern.regex.source,
  description: 'Unique in the workflow',
};

const call: JsonMap = {
  tool: text('Exposed name of the tool to call'),
  args: toolArgs('the tool'),
};

const flags: JsonMap = {
  condition,
  output: flag('Show the result in the returned document'),
  store: { ...flag('Deprecated: use output'), deprecated: true },
  allowFailure: { ...flag('Go on when this fails'), default: false },
  description: note,
};

const subStep = closed(['id', 'tool'], { id, ...call, ...flags });

const subSteps = (least: number): JsonMap => ({
  type: 'array',
  minItems: least,
  maxItems: MAX_SUB_STEPS,
  items: subStep,
});

const forEach = closed(
  ['items', 'steps'],
  {
    items: text('Template that gives a list'),
    as: {
      type: 'string',
      pattern: VARIABLE_NAME.regex.source,
      default: DEFAULT_LOOP_VARIABLE,
      description: 'Name of the item: {{ .vars.<as> }}, its index {{ .vars.<as>_index }}',
    },
    steps: subSteps(1),
  },
  { description: 'Runs the steps once for each item' },
);

const step = closed(
  ['id'],
  {
    id,
    ...call,
    forEach,
    parallel: { ...subSteps(1), description: 'Sub-steps that run at once' },
    ...flags,
  },
  { oneOf: [having('tool'), having('forEach'), having('parallel')] },
);

const argument = closed(['type'], {
  type: { type: 'string', enum: ARGUMENT_TYPES },
  required: { type: 'boolean', default: false },
  default: { description: 'Used when the caller omits the argument' },
  description: note,
});

/**
 * JSON Schema of each field of a structured definition except its name, in camel case. It includes requirements between fields
 * as far as JSON Schema states them well, but not the syntax of templates and the uniqueness of ids.
 *
 * @spec §2.7
 */
export const WORKFLOW_DEFINITION_SCHEMA: {
  readonly [K in 'description' | 'args' | 'steps' | 'onFailure' | 'output']: JsonMap;
} = {
  description: { type: 'string', maxLength: MAX_WORKFLOW_DESCRIPTION_CHARS },
  args: { type: 'object', maxProperties: MAX_WORKFLOW_ARGS, additionalProperties: argument },
  steps: { type: 'array', minItems: 1, maxItems: MAX_STEPS, items: step },
  onFailure: subSteps(0),
  output: { type: 'object' },
};
