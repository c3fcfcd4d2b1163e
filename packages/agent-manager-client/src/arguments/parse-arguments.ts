import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import * as z from 'zod';
import { type OperationInput, type OperationName, OPERATIONS } from '../operations/operations.ts';
import { type ClientOutcome, formatQuotedName, refuse } from '../refusals/refusal.ts';

/** The problem of an argument and its path. */
interface ArgumentProblem {
  /** Path of the refused part, relative to the value: `gitRefs[0].url`. Empty if the value itself is refused. */
  readonly at: string;
  /** Returns the message. `path` is the complete path, from the root of the arguments. */
  readonly sentence: (path: string) => string;
}

const PLAIN_KEY = /^[A-Za-z_$][\w$]{0,62}$/;

const joinArgumentPath = (outer: string, inner: string): string =>
  inner === '' || inner.startsWith('[') ? outer + inner : `${outer}.${inner}`;

/** Returns the problem of a value that does not have the expected type or format. `expected` is, for example, `a string`. */
export const createTypeProblem = (expected: string): ArgumentProblem => ({
  at: '',
  sentence: (path) => `${path} must be ${expected}`,
});

/** Returns the problem of a field that the schema does not have. */
export const createUnknownFieldProblem = (field: string): ArgumentProblem => ({
  at: '',
  sentence: (path) => `unknown field ${formatQuotedName(field)}${path === '' ? '' : ` in ${path}`}`,
});

/** The problem of a required field without a value. */
const MISSING_PROBLEM: ArgumentProblem = {
  at: '',
  sentence: (path) => `${path} is required`,
};

/** Converts the problem of a field into a problem of the object that contains the field. */
export const toFieldProblem = (field: string, problem: ArgumentProblem): ArgumentProblem => ({
  ...problem,
  at: joinArgumentPath(PLAIN_KEY.test(field) ? field : `[${formatQuotedName(field)}]`, problem.at),
});

/** Converts the problem of an item into a problem of its list. */
const toItemProblem = (index: number, problem: ArgumentProblem): ArgumentProblem => ({
  ...problem,
  at: joinArgumentPath(`[${index}]`, problem.at),
});

/** Returns the message of a problem whose path is complete, without a full stop. */
export const formatProblem = ({ at, sentence }: ArgumentProblem): string => sentence(at);

/** Validates and converts the values of a JSON type. */
interface ValueKind {
  /** Returns the first problem of a value, in document order. */
  readonly problem: (value: unknown) => ArgumentProblem | undefined;
  /** Returns a valid value without its `null` fields. */
  readonly take: (value: unknown) => unknown;
}

const LONE_SURROGATE = /\p{Surrogate}/u;
const isText = (text: string): boolean => !LONE_SURROGATE.test(text);

const returnUnchanged = (value: unknown): unknown => value;

const NOT_TEXT = createTypeProblem('a string');
// UTF-8 cannot encode a lone surrogate, so the value would change when it is written.
const LONE_SURROGATE_PROBLEM = createTypeProblem('a string without lone surrogates');

const TEXT: ValueKind = {
  problem: (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    return isText(value) ? undefined : LONE_SURROGATE_PROBLEM;
  },
  take: returnUnchanged,
};

const NOT_BOOLEAN = createTypeProblem('a boolean');

const BOOLEAN: ValueKind = {
  problem: (value) => (typeof value === 'boolean' ? undefined : NOT_BOOLEAN),
  take: returnUnchanged,
};

const NOT_ARRAY = createTypeProblem('an array');

/** Creates the kind of a list whose items have this kind. */
const createListKind = (item: ValueKind): ValueKind => ({
  problem: (value) => {
    if (!Array.isArray(value)) return NOT_ARRAY;
    let index = 0;
    for (const entry of value) {
      const problem = item.problem(entry);
      if (problem !== undefined) return toItemProblem(index, problem);
      index += 1;
    }
    return undefined;
  },
  take: (value) => (value as readonly unknown[]).map(item.take),
});

const NOT_OBJECT = createTypeProblem('an object');
const KEY_SURROGATE_PROBLEM = createTypeProblem('an object whose keys are without lone surrogates');

/** Strings by key. Any key is allowed, including `__proto__`. `null` is refused, because no key is optional. */
const TEXT_MAP: ValueKind = {
  problem: (value) => {
    if (!isJsonObject(value)) return NOT_OBJECT;
    for (const key of Object.keys(value)) {
      if (!isText(key)) return KEY_SURROGATE_PROBLEM;
      const problem = TEXT.problem(value[key]);
      if (problem !== undefined) return toFieldProblem(key, problem);
    }
    return undefined;
  },
  take: returnUnchanged,
};

/** The kinds of the fields of an object by name, and the names of the required fields. */
interface Fields {
  readonly kinds: ReadonlyMap<string, ValueKind>;
  readonly required: readonly string[];
}

const isAbsent = (value: JsonObject, field: string): boolean =>
  !Object.hasOwn(value, field) || value[field] === null || value[field] === undefined;

const findFieldsProblem = ({ kinds, required }: Fields, value: JsonObject) => {
  for (const field of Object.keys(value)) {
    const kind = kinds.get(field);
    if (kind === undefined) return createUnknownFieldProblem(field);
    const entry = value[field];
    if (entry === null || entry === undefined) continue;
    const problem = kind.problem(entry);
    if (problem !== undefined) return toFieldProblem(field, problem);
  }
  const absent = required.find((field) => isAbsent(value, field));
  return absent === undefined ? undefined : toFieldProblem(absent, MISSING_PROBLEM);
};

/** Creates the kind of an object that has only these fields. */
const createObjectKind = (fields: Fields): ValueKind => ({
  problem: (value) => (isJsonObject(value) ? findFieldsProblem(fields, value) : NOT_OBJECT),
  take: (value) => {
    const taken: Record<string, unknown> = {};
    for (const [field, entry] of Object.entries(value as JsonObject))
      if (entry !== null && entry !== undefined)
        taken[field] = fields.kinds.get(field)?.take(entry);
    return taken;
  },
});

const listRequiredFields = (shape: z.ZodRawShape): readonly string[] =>
  Object.entries(shape).flatMap(([field, schema]) =>
    schema instanceof z.ZodOptional ? [] : [field],
  );

/**
 * Returns the kind of values that a schema requires. Ignores lengths and patterns, which are validated later.
 * Throws for an unsupported type of schema.
 */
const toValueKind = (schema: unknown): ValueKind => {
  if (schema instanceof z.ZodOptional) return toValueKind(schema.unwrap());
  if (schema instanceof z.ZodString) return TEXT;
  if (schema instanceof z.ZodBoolean) return BOOLEAN;
  if (schema instanceof z.ZodArray) return createListKind(toValueKind(schema.element));
  if (schema instanceof z.ZodObject) return createObjectKind(toFieldKinds(schema));
  if (schema instanceof z.ZodRecord) return TEXT_MAP;
  throw new TypeError('the schema of an argument has an unsupported type');
};

/** Returns the fields of an object schema. */
const toFieldKinds = ({ shape }: z.ZodObject): Fields => ({
  kinds: new Map(Object.entries(shape).map(([field, schema]) => [field, toValueKind(schema)])),
  required: listRequiredFields(shape),
});

/** Operations whose callers may still pass the former argument `toolNames`. @spec §4.4 */
type WithToolNames = 'create_agent' | 'update_agent' | 'validate_agent';

/**
 * Arguments with checked names and types. Required arguments may be missing, and `null` arguments are
 * removed.
 */
export type OperationDraft<Name extends OperationName> = Partial<OperationInput<Name>> &
  (Name extends WithToolNames ? { readonly toolNames?: unknown } : unknown);

/** Accepts any value: the former argument `toolNames` is refused later, with a dedicated message. */
const ANY_KIND: ValueKind = { problem: () => undefined, take: (value) => value };

const createArgumentsKind = (name: OperationName): ValueKind => {
  const { kinds } = toFieldKinds(OPERATIONS[name].input);
  const former = kinds.has('toolset') ? ([['toolNames', ANY_KIND]] as const) : [];
  return createObjectKind({ kinds: new Map([...kinds, ...former]), required: [] });
};

const OPERATION_ARGUMENT_KINDS: ReadonlyMap<OperationName, ValueKind> = new Map(
  (Object.keys(OPERATIONS) as OperationName[]).map((name) => [name, createArgumentsKind(name)]),
);

/**
 * Parses the arguments of an operation. Checks only names and types. Never throws for invalid arguments.
 *
 * @param given a JSON value; `undefined` for no arguments
 * @returns the arguments without those that are `null` at any depth, or the refusal of the first unknown or mistyped argument
 * @spec §4.4
 */
export const parseArguments = <Name extends OperationName>(
  name: Name,
  given: unknown,
): ClientOutcome<OperationDraft<Name>> => {
  const kind = OPERATION_ARGUMENT_KINDS.get(name);
  if (kind === undefined) throw new RangeError(`there is no operation ${name}`);
  const value = given ?? {};
  if (!isJsonObject(value)) return refuse('invalid_request', 'the arguments must be an object');
  const problem = kind.problem(value);
  return problem === undefined
    ? { ok: true, value: kind.take(value) as OperationDraft<Name> }
    : refuse('invalid_request', formatProblem(problem));
};
