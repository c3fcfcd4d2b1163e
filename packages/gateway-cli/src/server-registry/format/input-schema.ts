import * as z from 'zod/mini';
import { MAX_CHOICES, MAX_INPUTS, MAX_NAME_CHARS, MAX_TEXT_CHARS } from './limits.ts';

/** Returns the schema of a text with a length limit. */
export const textUpTo = (max: number) => z.string().check(z.maxLength(max));

/** Returns the schema of a text that is not empty. */
export const nameUpTo = (max: number) => textUpTo(max).check(z.minLength(1));

const text = textUpTo(MAX_TEXT_CHARS);
const name = nameUpTo(MAX_NAME_CHARS);

const inputFields = {
  description: z.exactOptional(text),
  isRequired: z._default(z.boolean(), false),
  isSecret: z._default(z.boolean(), false),
  format: z._default(z.enum(['string', 'number', 'boolean', 'filepath']), 'string'),
  default: z.exactOptional(text),
  placeholder: z.exactOptional(text),
  value: z.exactOptional(text),
  choices: z._default(z.array(text).check(z.maxLength(MAX_CHOICES)), []),
};

/** The schema of a value that a person gives. */
const inputSchema = z.object(inputFields);

/** The schema of values that a person gives, by name. */
export const variablesSchema = z._default(
  z
    .record(name, inputSchema)
    .check(
      z.refine(
        (variables) => Object.keys(variables).length <= MAX_INPUTS,
        `must have at most ${String(MAX_INPUTS)} entries`,
      ),
    ),
  {},
);

const templateFields = { ...inputFields, variables: variablesSchema };

/** Returns the schema of a list of inputs. */
const listOf = <T extends z.core.$ZodType>(schema: T) =>
  z._default(z.array(schema).check(z.maxLength(MAX_INPUTS)), []);

/** The schema of environment variables, and of headers. */
export const namedValuesSchema = listOf(z.object({ ...templateFields, name }));

const argumentFields = { ...templateFields, isRepeated: z._default(z.boolean(), false) };

/** The schema of arguments of a program. */
export const argumentsSchema = listOf(
  z.discriminatedUnion('type', [
    z.object({
      ...argumentFields,
      type: z.literal('positional'),
      valueHint: z.exactOptional(name),
    }),
    z.object({ ...argumentFields, type: z.literal('named'), name }),
  ]),
);

/** A value that a person gives, or that the file fixes. */
export type RegistryInput = z.output<typeof inputSchema>;

/** An input whose fixed value can contain `{variables}`. */
export type TemplateInput = RegistryInput & {
  readonly variables: Readonly<Record<string, RegistryInput>>;
};

/** An environment variable or a header. */
export type NamedValue = z.output<typeof namedValuesSchema>[number];

/** An argument of a program. */
export type RegistryArgument = z.output<typeof argumentsSchema>[number];
