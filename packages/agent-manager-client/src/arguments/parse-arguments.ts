import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import * as z from 'zod';
import { type OperationInput, type OperationName, OPERATIONS } from '../operations/operations.ts';
import { type ClientOutcome, formatShown, refuse } from '../refusals/refusal.ts';

/** Why an argument is refused, and where in the argument the reason is. */
interface ArgumentProblem {
  /** Path of the refused part, relative to the value: `gitRefs[0].url`. Empty if the value itself is refused. */
  readonly at: string;
  /** Returns the message. `path` is the complete path, from the root of the arguments. */
  readonly sentence: (path: string) => string;
}

const PLAIN_KEY = /^[A-Za-z_$][\w$]{0,62}$/;

const join = (outer: string, inner: string): string =>
  inner === '' || inner.startsWith('[') ? outer + inner : `${outer}.${inner}`;

/** Returns the problem of a value that does not have the expected type or format. `expected` is, for example, `a string`. */
export const createTypeProblem = (expected: string): ArgumentProblem => ({
  at: '',
  sentence: (path) => `${path} must be ${expected}`,
});

/** Returns the problem of a field that the schema does not have. */
export const createUnknownFieldProblem = (field: string): ArgumentProblem => ({
  at: '',
  sentence: (path) => `unknown field ${formatShown(field)}${path === '' ? '' : ` in ${path}`}`,
});

/** The problem of a required field without a value. */
const missingProblem: ArgumentProblem = {
  at: '',
  sentence: (path) => `${path} is required`,
};

/** Converts the problem of a field into a problem of the object that contains the field. */
export const toFieldProblem = (field: string, problem: ArgumentProblem): ArgumentProblem => ({
  ...problem,
  at: join(PLAIN_KEY.test(field) ? field : `[${formatShown(field)}]`, problem.at),
});

/** Converts the problem of an item into a problem of its list. */
const problemInItem = (index: number, problem: ArgumentProblem): ArgumentProblem => ({
  ...problem,
  at: join(`[${index}]`, problem.at),
});

/** Returns the message of a problem whose path is complete, without a full stop. */
export const formatProblem = ({ at, sentence }: ArgumentProblem): string => sentence(at);

/** The test of each JSON type. */
interface ValueKind {
  /** The first thing that is wrong with a value, in the order in which it is written. */
  readonly problem: (value: unknown) => ArgumentProblem | undefined;
  /** A value without problems, less the fields that are `null`. */
  readonly take: (value: unknown) => unknown;
}

const LONE_SURROGATE = /\p{Surrogate}/u;
const isText = (text: string): boolean => !LONE_SURROGATE.test(text);

const asIs = (value: unknown): unknown => value;

const NOT_TEXT = createTypeProblem('a string');
// No encoding of Unicode carries half a character: it would be written as another one than was given.
const HALF_TEXT = createTypeProblem('a string without lone surrogates');

/** A text. */
const TEXT: ValueKind = {
  problem: (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    return isText(value) ? undefined : HALF_TEXT;
  },
  take: asIs,
};

const NOT_BOOLEAN = createTypeProblem('a boolean');

/** `true` or `false`. */
const BOOLEAN: ValueKind = {
  problem: (value) => (typeof value === 'boolean' ? undefined : NOT_BOOLEAN),
  take: asIs,
};

const NOT_ARRAY = createTypeProblem('an array');

/** A list of such items. */
const listOf = (item: ValueKind): ValueKind => ({
  problem: (value) => {
    if (!Array.isArray(value)) return NOT_ARRAY;
    let index = 0;
    for (const entry of value) {
      const problem = item.problem(entry);
      if (problem !== undefined) return problemInItem(index, problem);
      index += 1;
    }
    return undefined;
  },
  take: (value) => (value as readonly unknown[]).map(item.take),
});

const NOT_OBJECT = createTypeProblem('an object');
const HALF_KEYS = createTypeProblem('an object whose keys are without lone surrogates');

/** Texts by key. Keys are open, `__proto__` among them. `null` is no text, as no key is optional. */
const TEXT_MAP: ValueKind = {
  problem: (value) => {
    if (!isJsonObject(value)) return NOT_OBJECT;
    for (const key of Object.keys(value)) {
      if (!isText(key)) return HALF_KEYS;
      const problem = TEXT.problem(value[key]);
      if (problem !== undefined) return toFieldProblem(key, problem);
    }
    return undefined;
  },
  take: asIs,
};

/** Fields of an object by their names, and which of them must be there. */
interface Fields {
  readonly kinds: ReadonlyMap<string, ValueKind>;
  readonly required: readonly string[];
}

const isAbsent = (value: JsonObject, field: string): boolean =>
  !Object.hasOwn(value, field) || value[field] === null || value[field] === undefined;

const fieldsProblem = ({ kinds, required }: Fields, value: JsonObject) => {
  for (const field of Object.keys(value)) {
    const kind = kinds.get(field);
    if (kind === undefined) return createUnknownFieldProblem(field);
    const entry = value[field];
    if (entry === null || entry === undefined) continue;
    const problem = kind.problem(entry);
    if (problem !== undefined) return toFieldProblem(field, problem);
  }
  const absent = required.find((field) => isAbsent(value, field));
  return absent === undefined ? undefined : toFieldProblem(absent, missingProblem);
};

/** An object of these fields and no others. */
const objectOf = (fields: Fields): ValueKind => ({
  problem: (value) => (isJsonObject(value) ? fieldsProblem(fields, value) : NOT_OBJECT),
  take: (value) => {
    const taken: Record<string, unknown> = {};
    for (const [field, entry] of Object.entries(value as JsonObject))
      if (entry !== null && entry !== undefined)
        taken[field] = fields.kinds.get(field)?.take(entry);
    return taken;
  },
});

const requiredFields = (shape: z.ZodRawShape): readonly string[] =>
  Object.entries(shape).flatMap(([field, schema]) =>
    schema instanceof z.ZodOptional ? [] : [field],
  );

/**
 * Returns the type that a schema of arguments requires, without lengths and patterns, which have their own texts.
 * Throws for a kind of schema that no argument uses.
 */
const kindOfSchema = (schema: unknown): ValueKind => {
  if (schema instanceof z.ZodOptional) return kindOfSchema(schema.unwrap());
  if (schema instanceof z.ZodString) return TEXT;
  if (schema instanceof z.ZodBoolean) return BOOLEAN;
  if (schema instanceof z.ZodArray) return listOf(kindOfSchema(schema.element));
  if (schema instanceof z.ZodObject) return objectOf(fieldsOf(schema));
  if (schema instanceof z.ZodRecord) return TEXT_MAP;
  throw new TypeError('no type of arguments is made of such a schema');
};

/** The fields of an object as its schema has them. */
const fieldsOf = ({ shape }: z.ZodObject): Fields => ({
  kinds: new Map(Object.entries(shape).map(([field, schema]) => [field, kindOfSchema(schema)])),
  required: requiredFields(shape),
});

/** Operations whose callers may still pass the former argument `toolNames`. @spec §4.4 */
type WithToolNames = 'create_agent' | 'update_agent' | 'validate_agent';

/**
 * Arguments whose names and types are checked and nothing else: what is required may be missing. An argument that was `null` is
 * absent.
 */
export type OperationDraft<Name extends OperationName> = Partial<OperationInput<Name>> &
  (Name extends WithToolNames ? { readonly toolNames?: unknown } : unknown);

/** Of the former argument, which is refused wherever a toolset is taken, with a text of its own. */
const ANYTHING: ValueKind = { problem: () => undefined, take: (value) => value };

const argumentsKindOf = (name: OperationName): ValueKind => {
  const { kinds } = fieldsOf(OPERATIONS[name].input);
  const former = kinds.has('toolset') ? ([['toolNames', ANYTHING]] as const) : [];
  return objectOf({ kinds: new Map([...kinds, ...former]), required: [] });
};

const KINDS: ReadonlyMap<OperationName, ValueKind> = new Map(
  (Object.keys(OPERATIONS) as OperationName[]).map((name) => [name, argumentsKindOf(name)]),
);

/**
 * Parses the arguments of an operation: checks names and types and nothing else. Never throws.
 *
 * @param given a JSON value; `undefined` for no arguments
 * @returns the arguments without those that are `null` at any depth, or the refusal of the first unknown or mistyped argument
 * @spec §4.4
 */
export const parseArguments = <Name extends OperationName>(
  name: Name,
  given: unknown,
): ClientOutcome<OperationDraft<Name>> => {
  const kind = KINDS.get(name);
  if (kind === undefined) throw new RangeError(`there is no operation ${name}`);
  const value = given ?? {};
  if (!isJsonObject(value)) return refuse('invalid_request', 'the arguments must be an object');
  const problem = kind.problem(value);
  return problem === undefined
    ? { ok: true, value: kind.take(value) as OperationDraft<Name> }
    : refuse('invalid_request', formatProblem(problem));
};
