import * as z from 'zod/mini';
import { boundedText } from './bounded-text.ts';
import { described, named } from './field-facts.ts';
import {
  MAX_CONDITION_MESSAGE_CHARS,
  MAX_CONDITION_REASON_CHARS,
  MAX_CONDITION_TYPE_CHARS,
  MAX_CONDITIONS,
  MAX_TIME_CHARS,
} from '../resource/limits.ts';
import type { StatusCondition } from '../resource/status-condition.ts';

/** A time in RFC 3339. */
export const timeText = boundedText({ max: MAX_TIME_CHARS });

/** The fields of a type, complete and without others. */
export type FieldsOf<Value> = { readonly [Key in keyof Value]-?: z.ZodMiniType };

const statusCondition = named(
  'StatusCondition',
  z.strictObject({
    type: described('The type of the condition.', boundedText({ max: MAX_CONDITION_TYPE_CHARS })),
    status: described('The status of the condition.', z.enum(['True', 'False', 'Unknown'])),
    reason: described('Why, in one word.', boundedText({ max: MAX_CONDITION_REASON_CHARS })),
    message: described('Why, in a sentence.', boundedText({ max: MAX_CONDITION_MESSAGE_CHARS })),
    lastTransitionTime: described('When status changed last.', timeText),
    observedGeneration: described(
      'The metadata.generation that the condition is about.',
      z.exactOptional(z.int().check(z.minimum(0))),
    ),
  } satisfies FieldsOf<StatusCondition>),
);

/** The conditions of a status. */
export const statusConditions = z.array(statusCondition).check(z.maxLength(MAX_CONDITIONS));
