import * as z from 'zod';
import { boundedText } from '../../fields/bounded-text.ts';
import { jsonValue } from '../../fields/json-fields.ts';
import { keyedMap } from '../../fields/keyed-map.ts';
import { kindOf } from '../../fields/kind-of.ts';
import { MAX_ARGUMENT_NAME_CHARS, MAX_DESCRIPTION_CHARS, MAX_WORKFLOW_ARGS } from '../../limits.ts';
import { argumentFits } from './argument-fits.ts';
import { ARGUMENT_TYPES, type ArgumentDefinition, type ArgumentType } from '../workflow.ts';

/** The switch that asks a run for every step's result. No workflow declares it, shows it or sees it. */
export const DEBUG_ARGUMENT = '_debug';

const words: Readonly<Record<ArgumentType, string>> = {
  string: 'a string',
  integer: 'an integer',
  boolean: 'a boolean',
  number: 'a number',
  object: 'a mapping',
  array: 'a list',
};

const misfitText = (type: ArgumentType, value: unknown): string =>
  typeof value === 'number' && type === 'integer'
    ? 'must be an integer, as type says'
    : `must be ${words[type]}, as type says, not ${kindOf(value)}`;

const argumentDefinition = z
  .strictObject({
    type: z.enum(ARGUMENT_TYPES),
    required: z.boolean().default(false),
    default: jsonValue().exactOptional(),
    description: boundedText({ max: MAX_DESCRIPTION_CHARS }).exactOptional(),
  })
  .check((context) => {
    const { type, default: value } = context.value;
    if (value !== undefined && !argumentFits(type, value)) {
      const message = misfitText(type, value);
      context.issues.push({ code: 'custom', input: value, path: ['default'], message });
    }
  })
  .transform((definition): ArgumentDefinition => Object.freeze(definition));

/** `spec.args` of a `Workflow`. @spec §2.7 args */
export const argumentFields = keyedMap(argumentDefinition, {
  key: { max: MAX_ARGUMENT_NAME_CHARS },
  maxEntries: MAX_WORKFLOW_ARGS,
  checkKey: (key) =>
    key === DEBUG_ARGUMENT ? 'is taken: it asks a run for its details' : undefined,
});
