import * as z from 'zod/mini';
import { boundedText } from '../../fields/bounded-text.ts';
import { described, withFacts } from '../../fields/field-facts.ts';
import { jsonValue } from '../../fields/json-fields.ts';
import { keyedMap } from '../../fields/keyed-map.ts';
import { kindOf } from '../../fields/kind-of.ts';
import type { JsonMap } from '@gateway/go-template';
import {
  MAX_ARGUMENT_NAME_CHARS,
  MAX_DESCRIPTION_CHARS,
  MAX_WORKFLOW_ARGS,
} from '../../resource/limits.ts';
import { argumentFits } from './argument-fits.ts';
import { ARGUMENT_TYPES, type ArgumentDefinition, type ArgumentType } from '../model/workflow.ts';

/** The argument that requests the result of every step. No workflow declares it, shows it or receives it. */
export const DEBUG_ARGUMENT = '_debug';

const words: Readonly<Record<ArgumentType, string>> = {
  string: 'a string',
  integer: 'an integer',
  boolean: 'a boolean',
  number: 'a number',
  object: 'a mapping',
  array: 'a list',
};

const wrongTypeText = (type: ArgumentType, value: unknown): string =>
  typeof value === 'number' && type === 'integer'
    ? 'must be an integer, the type of the argument'
    : `must be ${words[type]}, the type of the argument, not ${kindOf(value)}`;

/** The check of a default as JSON Schema, for editors. */
const defaultFitsType: JsonMap = {
  allOf: ARGUMENT_TYPES.map((type) => ({
    if: { required: ['type'], properties: { type: { const: type } } },
    then: { properties: { default: { type } } },
  })),
};

const definitionFields = withFacts(
  { name: 'ArgumentDefinition', also: defaultFitsType },
  z.strictObject({
    type: described('JSON type of the argument; nothing is converted.', z.enum(ARGUMENT_TYPES)),
    required: described('Requires callers to set the argument.', z._default(z.boolean(), false)),
    default: described(
      'Used when the caller omits the argument. Must have the type of the argument.',
      z.exactOptional(jsonValue()),
    ),
    description: described(
      'The purpose of the argument, shown to callers.',
      z.exactOptional(boundedText({ max: MAX_DESCRIPTION_CHARS })),
    ),
  }),
).check((context) => {
  const { type, default: value } = context.value;
  if (value !== undefined && !argumentFits(type, value)) {
    const message = wrongTypeText(type, value);
    context.issues.push({ code: 'custom', input: value, path: ['default'], message });
  }
});

const argumentDefinition = z.pipe(
  definitionFields,
  z.transform((definition): ArgumentDefinition => Object.freeze(definition)),
);

/** `spec.args` of a `Workflow`. @spec §2.7 args */
export const argumentFields = keyedMap(argumentDefinition, {
  key: { max: MAX_ARGUMENT_NAME_CHARS },
  maxEntries: MAX_WORKFLOW_ARGS,
  reserved: { key: DEBUG_ARGUMENT, message: 'is taken: it asks a run for its details' },
});
