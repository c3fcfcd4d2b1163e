import * as z from 'zod/mini';
import { boundedText } from '../../fields/bounded-text.ts';
import { described, named } from '../../fields/field-facts.ts';
import { MAX_RESULT_NAME_CHARS, MAX_TOOL_NAME_CHARS } from '../../resource/limits.ts';
import { jsonPathFields } from './json-path-fields.ts';
import { templatedMap, templateText } from './templated-fields.ts';

/** The exposed name of a tool. @spec §2.7 tool */
export const toolName = boundedText({ min: 1, max: MAX_TOOL_NAME_CHARS });

const expectation = named(
  'Expectation',
  z.strictObject({
    success: described(
      'True for a call that succeeded, false for one that failed.',
      z.exactOptional(z.boolean()),
    ),
    jsonPath: described(
      'Path in the result, or template over .result, to the value that must be there.',
      z.exactOptional(jsonPathFields),
    ),
  }),
);

/** The fields of the `condition` of a step. Requirements between fields are in the rules. @spec §2.7 Condition */
export const conditionFields = named(
  'Condition',
  z.strictObject({
    template: described(
      'Runs the step only when it renders to true.',
      z.exactOptional(templateText),
    ),
    tool: described('Tool to call for the check.', z.exactOptional(toolName)),
    args: described(
      'Arguments of the tool; texts may be templates.',
      z.exactOptional(templatedMap()),
    ),
    fromStep: described(
      'ID of the earlier step whose result is checked.',
      z.exactOptional(boundedText({ min: 1, max: MAX_RESULT_NAME_CHARS })),
    ),
    expect: described('The expectation that must hold.', z.exactOptional(expectation)),
    expectNot: described('The expectation that must not hold.', z.exactOptional(expectation)),
  }),
);

/** `condition` before the rules between fields are evaluated. */
export type ConditionFields = z.output<typeof conditionFields>;

/** `expect` before the rules between fields are evaluated. */
export type ExpectationFields = NonNullable<ConditionFields['expect']>;
