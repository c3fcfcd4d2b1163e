import { isJsonObject, type JsonObject } from '@gateway/call-contract';

/** The properties of an argument of any kind. */
interface ArgumentBase {
  readonly required: boolean;
  readonly description: string;
  /** An older spelling that is accepted and not shown. */
  readonly alias?: string;
  /** `null` and blank texts are values, instead of counting as absent. */
  readonly nullable?: true;
  /** Texts that replace the default ones. `null` and blank texts count as absent unless there is a text for them. */
  readonly refusals?: {
    readonly missing?: string;
    readonly wrongType?: string;
    readonly isNull?: string;
    readonly isBlank?: string;
  };
}

export interface TextArgument extends ArgumentBase {
  readonly type: 'string';
  /** The allowed values; a blank text is not one of them. */
  readonly enum?: readonly string[];
  /** Maximum length in UTF-16 units; 1,024 when absent, which exceeds every name. */
  readonly maxUnits?: number;
  /** The JSON Schema besides type and description. */
  readonly schema?: JsonObject;
}

export interface FlagArgument extends ArgumentBase {
  readonly type: 'boolean';
  /** Shown in the schema; the tool applies it. */
  readonly default?: boolean;
}

/** An integer within bounds. */
export interface IntegerArgument extends ArgumentBase {
  readonly type: 'integer';
  readonly minimum: number;
  readonly maximum?: number;
  /** Shown in the schema; the tool applies it. */
  readonly default?: number;
}

/** A list that the tool parses; only its kind is checked with the arguments. */
export interface ArrayArgument extends ArgumentBase {
  readonly type: 'array';
  /** The JSON Schema besides type and description. */
  readonly schema: JsonObject;
}

/** An object that the tool parses; only its kind is checked with the arguments. */
export interface ObjectArgument extends ArgumentBase {
  readonly type: 'object';
  /** The JSON Schema besides type and description. */
  readonly schema: JsonObject;
}

/** One argument of a core tool. */
export type CoreArgument =
  TextArgument | FlagArgument | IntegerArgument | ArrayArgument | ObjectArgument;

/** The arguments of a core tool by name. Any other argument is refused. */
export type CoreArguments = Readonly<Record<string, CoreArgument>>;

/** Returns the JSON Schema of an argument besides its type and description. */
const toDetails = (argument: CoreArgument): JsonObject => {
  switch (argument.type) {
    case 'string':
      return { ...(argument.enum !== undefined && { enum: argument.enum }), ...argument.schema };
    case 'boolean':
      return argument.default === undefined ? {} : { default: argument.default };
    case 'integer': {
      const { minimum, maximum, default: usual } = argument;
      return {
        minimum,
        ...(maximum !== undefined && { maximum }),
        ...(usual !== undefined && { default: usual }),
      };
    }
    case 'array':
    case 'object':
      return argument.schema;
  }
};

/** Returns the JSON Schema of a tool's arguments, without aliases. */
export const createInputSchema = (table: CoreArguments): JsonObject => {
  const required = Object.keys(table).filter((name) => table[name]?.required);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(table).map(([name, argument]) => [
        name,
        {
          type: argument.nullable === true ? [argument.type, 'null'] : argument.type,
          description: argument.description,
          ...toDetails(argument),
        },
      ]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
};

const MAX_TEXT_UNITS = 1024;

type Problem = string | undefined;

const validateText = (
  name: string,
  { enum: allowed, maxUnits = MAX_TEXT_UNITS, refusals }: TextArgument,
  value: unknown,
): Problem => {
  if (typeof value !== 'string') return refusals?.wrongType ?? `${name} must be a string`;
  if (allowed !== undefined && !allowed.includes(value)) {
    return `${name} must be one of the enum values: ${allowed.join(', ')}`;
  }
  return value.length > maxUnits
    ? `${name} must be at most ${String(maxUnits)} characters`
    : undefined;
};

const validateFlag = (name: string, { refusals }: FlagArgument, value: unknown): Problem =>
  typeof value === 'boolean' ? undefined : (refusals?.wrongType ?? `${name} must be a boolean`);

const validateInteger = (
  name: string,
  { minimum, maximum, refusals }: IntegerArgument,
  value: unknown,
): Problem => {
  if (typeof value !== 'number') return refusals?.wrongType ?? `${name} must be a number`;
  if (!Number.isInteger(value)) return `${name} must be a whole number`;
  if (value < minimum) return `${name} must be at least ${String(minimum)} (minimum value)`;
  return maximum !== undefined && value > maximum
    ? `${name} must be at most ${String(maximum)} (maximum value)`
    : undefined;
};

const listProblem = (name: string, { refusals }: ArrayArgument, value: unknown): Problem =>
  Array.isArray(value) ? undefined : (refusals?.wrongType ?? `${name} must be an array`);

const validateObject = (name: string, { refusals }: ObjectArgument, value: unknown): Problem =>
  typeof value === 'object' && !Array.isArray(value)
    ? undefined
    : (refusals?.wrongType ?? `${name} must be an object`);

const validateValue = (name: string, argument: CoreArgument, value: unknown): Problem => {
  switch (argument.type) {
    case 'string':
      return validateText(name, argument, value);
    case 'boolean':
      return validateFlag(name, argument, value);
    case 'integer':
      return validateInteger(name, argument, value);
    case 'array':
      return listProblem(name, argument, value);
    case 'object':
      return validateObject(name, argument, value);
  }
};

/** A blank text counts as absent, except for a choice, where it is an invalid choice. */
const isAbsent = (argument: CoreArgument, value: unknown): boolean => {
  if (argument.nullable === true && value === '') return false;
  if (value === undefined || value === null) return true;
  return value === '' && !(argument.type === 'string' && argument.enum !== undefined);
};

/** Returns why an argument is refused, as one sentence; `undefined` when it is valid. */
const validateArgument = (name: string, argument: CoreArgument, value: unknown): Problem => {
  const { required, refusals } = argument;
  const own = value === null ? refusals?.isNull : value === '' ? refusals?.isBlank : undefined;
  if (own !== undefined) return own;
  if (!isAbsent(argument, value)) return validateValue(name, argument, value);
  return required ? (refusals?.missing ?? `${name} argument is required`) : undefined;
};

interface ValueByType {
  readonly string: string;
  readonly boolean: boolean;
  readonly integer: number;
  readonly array: readonly unknown[];
  readonly object: JsonObject;
}

/** The checked arguments of a call. */
export type CoreArgumentValues<A extends CoreArguments> = {
  readonly [K in keyof A]:
    | ValueByType[A[K]['type']]
    | (A[K]['nullable'] extends true ? null : never)
    | (A[K]['required'] extends true ? never : undefined);
};

/** The checked arguments, or the sentence that refuses them. */
export type CheckedArguments<A extends CoreArguments> =
  | { readonly ok: true; readonly values: CoreArgumentValues<A> }
  | { readonly ok: false; readonly text: string };

const shortenName = (name: string): string =>
  name.length > 100 ? `${name.slice(0, 100)}...` : name;

const validateNames = (given: JsonObject, table: CoreArguments): string | undefined => {
  const aliases = new Set(Object.values(table).map(({ alias }) => alias));
  const unknown = Object.keys(given).filter(
    (name) => !Object.hasOwn(table, name) && !aliases.has(name),
  );
  if (unknown.length === 0) return undefined;
  const allowed = Object.keys(table).join(', ');
  return `unknown args: [${unknown.slice(0, 10).map(shortenName).join(', ')}]. Allowed args: [${allowed}]`;
};

/** Returns the arguments that are given in both spellings, because the intended one is unknown. */
const validateSpellings = (given: JsonObject, table: CoreArguments): string | undefined => {
  for (const [name, { alias }] of Object.entries(table)) {
    if (alias === undefined || !Object.hasOwn(given, alias)) continue;
    if (Object.hasOwn(given, name)) return `set ${name} or ${alias}, not both`;
  }
  return undefined;
};

/** Returns the value under the argument's name, or else under its alias. */
const readValue = (given: JsonObject, name: string, { alias }: CoreArgument): unknown => {
  if (Object.hasOwn(given, name)) return given[name];
  return alias !== undefined && Object.hasOwn(given, alias) ? given[alias] : undefined;
};

const isPresent = ({ nullable }: CoreArgument, value: unknown): boolean =>
  value !== undefined && (nullable === true || (value !== null && value !== ''));

/** Checks the arguments of a call: unknown ones first, then each in the order of the table. */
export const checkArguments = <A extends CoreArguments>(
  table: A,
  given: unknown,
): CheckedArguments<A> => {
  const source = given ?? {};
  if (!isJsonObject(source)) return { ok: false, text: 'arguments must be a JSON object' };
  const refused = validateNames(source, table) ?? validateSpellings(source, table);
  if (refused !== undefined) return { ok: false, text: refused };
  const values: Record<string, unknown> = {};
  for (const [name, argument] of Object.entries(table)) {
    const value = readValue(source, name, argument);
    const problem = validateArgument(name, argument, value);
    if (problem !== undefined) return { ok: false, text: problem };
    if (isPresent(argument, value)) values[name] = value;
  }
  return { ok: true, values: values as CoreArgumentValues<A> };
};

/** Returns the schema without its type: the type of an argument is stated next to its schema. */
export const withoutType = ({ type: _type, ...schema }: JsonObject): JsonObject => schema;

/** Returns the schema with `null` as a further value. */
const allowNull = ({ type, enum: choices, ...schema }: JsonObject): JsonObject => ({
  ...(type !== undefined && { type: [type, 'null'] }),
  ...(Array.isArray(choices) && { enum: [...(choices as readonly unknown[]), null] }),
  ...schema,
});

const toPatchMember = (schema: unknown): unknown =>
  isJsonObject(schema) ? allowNull(createPatchSchema(schema)) : schema;

/**
 * Returns the schema of a patch of the objects that a schema describes: no member is required or has a default, and `null` removes one.
 * Lists are replaced as a whole.
 *
 * RFC 7396 §2
 */
export const createPatchSchema = ({
  required: _required,
  default: _default,
  properties,
  additionalProperties,
  ...schema
}: JsonObject): JsonObject => ({
  ...schema,
  ...(isJsonObject(properties) && {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, toPatchMember(member)]),
    ),
  }),
  ...(additionalProperties !== undefined && {
    additionalProperties: toPatchMember(additionalProperties),
  }),
});
