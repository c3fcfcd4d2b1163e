import * as z from 'zod/mini';
import { GLOB, type TextBounds, describeField, nameField } from '../fields/field-facts.ts';
import {
  createIntegerField,
  createOptionalInteger,
  createJsonField,
  createKeyedMap,
  createTextField,
} from '../fields/fields.ts';
import {
  DEFAULT_PERIOD_SECONDS,
  MAX_ARGUMENT_NAME_CHARS,
  MAX_BREAKER_FAILURES,
  MAX_CALLS,
  MAX_CALL_SECONDS,
  MAX_PATTERN_CHARS,
  MAX_PERIOD_SECONDS,
  MAX_RATE_CALLS,
  MAX_TOOL_DEFAULTS,
  MAX_TOOL_DESCRIPTION_CHARS,
  MAX_TOOL_NAME_CHARS,
  MAX_TOOL_TITLE_CHARS,
} from '../fields/limits.ts';
import { createReferenceList } from './value-reference.ts';

/** The field `defaultsFrom` of an entry of `spec.tools`. Requirements between fields are in the rules. */
const defaultsFrom = createReferenceList('DefaultsFrom', 'Name of the argument.', {
  max: MAX_ARGUMENT_NAME_CHARS,
});

const createOptionalText = (bounds: TextBounds) => z.exactOptional(createTextField(bounds));

const rateLimit = nameField(
  'RateLimit',
  z.strictObject({
    perUser: describeField(
      'Calls of one user in the period.',
      createOptionalInteger(1, MAX_RATE_CALLS),
    ),
    total: describeField(
      'Calls of all users in the period.',
      createOptionalInteger(1, MAX_RATE_CALLS),
    ),
    seconds: describeField(
      'The period.',
      z._default(createIntegerField({ min: 1, max: MAX_PERIOD_SECONDS }), DEFAULT_PERIOD_SECONDS),
    ),
  }),
);

const breaker = nameField(
  'Breaker',
  z.strictObject({
    failures: describeField(
      'Failures in a row.',
      createIntegerField({ min: 1, max: MAX_BREAKER_FAILURES }),
    ),
    openSeconds: describeField(
      'Seconds to the next attempt.',
      createIntegerField({ min: 1, max: MAX_PERIOD_SECONDS }),
    ),
  }),
);

/** The limits of the calls to a server or tool. Requirements between fields are in the rules. */
export const requestLimits = nameField(
  'RequestLimits',
  z.strictObject({
    concurrency: describeField(
      'Calls that run at once; others wait.',
      createOptionalInteger(1, MAX_CALLS),
    ),
    queue: describeField(
      'Calls that wait; others are refused.',
      createOptionalInteger(0, MAX_CALLS),
    ),
    rate: describeField('Calls in a period.', z.exactOptional(rateLimit)),
    callTimeout: describeField('Seconds of a call.', createOptionalInteger(1, MAX_CALL_SECONDS)),
    maxCallTimeout: describeField(
      'Seconds of a call with progress.',
      createOptionalInteger(1, MAX_CALL_SECONDS),
    ),
    breaker: describeField('Refuses calls after failures.', z.exactOptional(breaker)),
  }),
);

/** `spec.limits`, and `limits` of an entry of `spec.tools`. */
export type RequestLimitFields = Readonly<z.output<typeof requestLimits>>;

const hint = z.exactOptional(z.boolean());

const toolAnnotations = nameField(
  'ToolAnnotations',
  z.strictObject({
    readOnlyHint: describeField('Changes nothing; adds the tool to read-only toolsets.', hint),
    destructiveHint: describeField('May delete or overwrite.', hint),
    idempotentHint: describeField('Repetition changes nothing.', hint),
    openWorldHint: describeField('Uses other systems.', hint),
  }),
);

/** An entry of `spec.tools`. Requirements between fields are in the rules. */
export const toolRule = nameField(
  'ToolRule',
  z.strictObject({
    name: describeField(
      "The server's own name of a tool.",
      createOptionalText({ min: 1, max: MAX_TOOL_NAME_CHARS }),
    ),
    pattern: describeField(
      'Glob over these names.',
      createOptionalText({ min: 1, max: MAX_PATTERN_CHARS, pattern: GLOB }),
    ),
    title: describeField('Shown title.', createOptionalText({ max: MAX_TOOL_TITLE_CHARS })),
    description: describeField(
      'Shown description.',
      createOptionalText({ max: MAX_TOOL_DESCRIPTION_CHARS }),
    ),
    annotations: describeField('Shown hints.', z.exactOptional(toolAnnotations)),
    hidden: describeField('Hides the tool.', z.exactOptional(z.boolean())),
    defaults: describeField(
      'Arguments that callers do not see.',
      z.exactOptional(
        createKeyedMap(createJsonField(), {
          key: { max: MAX_ARGUMENT_NAME_CHARS },
          maxEntries: MAX_TOOL_DEFAULTS,
        }),
      ),
    ),
    defaultsFrom: describeField(
      'The same from Secrets and ConfigMaps.',
      z.exactOptional(defaultsFrom),
    ),
    limits: describeField('Limits of calls.', z.exactOptional(requestLimits)),
  }),
);

/** A change of the tools of a server that match `name` or `pattern`. */
export type ToolRule = Readonly<z.output<typeof toolRule>>;
