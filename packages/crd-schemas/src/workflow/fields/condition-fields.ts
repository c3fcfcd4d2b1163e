import * as z from 'zod';
import { boundedText } from '../../fields/bounded-text.ts';
import { jsonMap, jsonValue } from '../../fields/json-fields.ts';
import { keyedMap } from '../../fields/keyed-map.ts';
import {
  MAX_JSON_PATHS,
  MAX_JSON_PATH_CHARS,
  MAX_RESULT_NAME_CHARS,
  MAX_TOOL_NAME_CHARS,
} from '../../limits.ts';
import { MAX_TEMPLATE_CHARS } from '../../template/template-limits.ts';
import { resultPathCheck, templateCheck, wholeTemplateCheck } from './template-checks.ts';

/** The exposed name of a tool. @spec §2.7 tool */
export const toolName = boundedText({ min: 1, max: MAX_TOOL_NAME_CHARS });

/** A text that is rendered when the workflow runs. @spec §2.7 */
export const templateText = boundedText({ min: 1, max: MAX_TEMPLATE_CHARS }).check((context) => {
  const message = context.issues.length > 0 ? undefined : wholeTemplateCheck(context.value);
  if (message !== undefined) context.issues.push({ code: 'custom', input: context.value, message });
});

const expectation = z.strictObject({
  success: z.boolean().exactOptional(),
  jsonPath: keyedMap(jsonValue(templateCheck), {
    key: { max: MAX_JSON_PATH_CHARS },
    maxEntries: MAX_JSON_PATHS,
    checkKey: resultPathCheck,
  }).exactOptional(),
});

/** `condition` of a step, field by field. What fields require of each other is in the rules. @spec §2.7 Condition */
export const conditionFields = z.strictObject({
  template: templateText.exactOptional(),
  tool: toolName.exactOptional(),
  args: jsonMap(templateCheck).exactOptional(),
  fromStep: boundedText({ min: 1, max: MAX_RESULT_NAME_CHARS }).exactOptional(),
  expect: expectation.exactOptional(),
  expectNot: expectation.exactOptional(),
});

/** `condition` as the fields say it, before what fields require of each other is known to hold. */
export type ConditionFields = z.output<typeof conditionFields>;

/** `expect` as the fields say it. */
export type ExpectationFields = NonNullable<ConditionFields['expect']>;
