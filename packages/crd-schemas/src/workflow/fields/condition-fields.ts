import * as z from 'zod/mini';
import { boundedText } from '../../fields/bounded-text.ts';
import { described, named } from '../../fields/field-facts.ts';
import { jsonMap, jsonValue } from '../../fields/json-fields.ts';
import { keyedMap } from '../../fields/keyed-map.ts';
import {
  MAX_JSON_PATHS,
  MAX_JSON_PATH_CHARS,
  MAX_RESULT_NAME_CHARS,
  MAX_TOOL_NAME_CHARS,
} from '../../limits.ts';
import { MAX_TEMPLATE_CHARS } from '@gateway/go-template';
import { resultPathCheck, templateCheck, wholeTemplateCheck } from './template-checks.ts';

/** The exposed name of a tool. @spec §2.7 tool */
export const toolName = boundedText({ min: 1, max: MAX_TOOL_NAME_CHARS });

/** A text that is rendered when the workflow runs. @spec §2.7 */
export const templateText = boundedText({ min: 1, max: MAX_TEMPLATE_CHARS }).check((context) => {
  const message = context.issues.length > 0 ? undefined : wholeTemplateCheck(context.value);
  if (message !== undefined) context.issues.push({ code: 'custom', input: context.value, message });
});

const expectation = named(
  'Expectation',
  z.strictObject({
    success: described('Whether the call succeeded.', z.exactOptional(z.boolean())),
    jsonPath: described(
      'Path in the result, or template over .result, to the value that must be there.',
      z.exactOptional(
        keyedMap(jsonValue(templateCheck), {
          key: { max: MAX_JSON_PATH_CHARS },
          maxEntries: MAX_JSON_PATHS,
          checkKey: resultPathCheck,
        }),
      ),
    ),
  }),
);

/** `condition` of a step, field by field. What fields require of each other is in the rules. @spec §2.7 Condition */
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
      z.exactOptional(jsonMap(templateCheck)),
    ),
    fromStep: described(
      'ID of the earlier step whose result is checked.',
      z.exactOptional(boundedText({ min: 1, max: MAX_RESULT_NAME_CHARS })),
    ),
    expect: described('What must hold.', z.exactOptional(expectation)),
    expectNot: described('What must not hold.', z.exactOptional(expectation)),
  }),
);

/** `condition` as the fields say it, before what fields require of each other is known to hold. */
export type ConditionFields = z.output<typeof conditionFields>;

/** `expect` as the fields say it. */
export type ExpectationFields = NonNullable<ConditionFields['expect']>;
