import { type CallResult, type JsonObject, isJsonObject } from '@gateway/call-contract';
import type { ToolAnnotations } from '@gateway/catalog';
import { MAX_INLINE_SELECTORS } from '@gateway/toolset-grammar';
import type { AnswerKey } from './scope/answer-memo.ts';
import type { MetaToolDefinition, MetaToolName } from './contract/meta-tool.ts';
import { type MetaToolContext, type Read, read, refuse } from './scope/toolset-scope.ts';
import { type Refusal, createRefusalResult } from './contract/result.ts';

/** One meta-tool as its file writes it down. */
interface MetaToolSource<A extends ArgumentTable> {
  readonly name: MetaToolName;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly arguments: A;
  /** JSON Schema of the value that a successful answer holds as its text; that of `call_tool`, of the result. */
  readonly resultSchema: JsonObject;
  readonly answer: (
    args: ArgumentValues<A>,
    context: MetaToolContext,
  ) => CallResult | Promise<CallResult>;
  /** Returns why the toolset of a request does not admit the call; absent where a toolset only narrows the answer. @spec §4.2 */
  readonly refuse?: (args: ArgumentValues<A>, context: MetaToolContext) => Refusal | undefined;
  /**
   * The objects on which the answer depends, besides the arguments, the snapshot and the toolset's selection: the answer is
   * cached while they are the same objects. `undefined`: the answer is not cached.
   */
  readonly dependsOn?: (
    args: ArgumentValues<A>,
    context: MetaToolContext,
  ) => readonly unknown[] | undefined;
}

/** One meta-tool, ready to be called with unread arguments. */
export interface MetaTool {
  readonly definition: MetaToolDefinition;
  readonly resultSchema: JsonObject;
  readonly answer: (given: unknown, context: MetaToolContext) => CallResult | Promise<CallResult>;
  /** Returns the refusal of a call that the toolset of a request does not admit; `undefined` for any other call. */
  readonly refuse: (given: unknown, context: MetaToolContext) => CallResult | undefined;
}

/** For answers that depend on nothing but the arguments, the snapshot and the toolset. */
export const NOTHING_MORE: readonly unknown[] = [];

/** Meta-tools that only read the catalog: nothing changes, and nothing outside is reached. MCP has the other hints for tools that change something. */
export const READS_CATALOG: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/** Annotations of meta-tools that read from a server: they change nothing, but the answer comes from outside. */
export const READS_SERVER: ToolAnnotations = { readOnlyHint: true, openWorldHint: true };

/** Creates a meta-tool from its source: its schema and the parser of its arguments come from one table. */
export const defineMetaTool = <A extends ArgumentTable>(source: MetaToolSource<A>): MetaTool => {
  const { name, dependsOn } = source;
  const readArguments = createArgumentReader(source.arguments);
  return {
    definition: {
      name,
      description: source.description,
      inputSchema: toInputSchema(source.arguments),
      annotations: source.annotations,
    },
    resultSchema: source.resultSchema,
    answer: (given, context) => {
      const args = readArguments(given);
      if (!args.ok) return createRefusalResult(args.refusal, context.ports);
      const cacheDependencies = dependsOn?.(args.value, context);
      if (cacheDependencies === undefined) return source.answer(args.value, context);
      const question = { name, args: args.value, cacheDependencies };
      return context.memo.recall(question, context) ?? answerAndCache(source, question, context);
    },
    refuse: (given, context) => {
      const args = readArguments(given);
      const refusal = args.ok ? source.refuse?.(args.value, context) : undefined;
      return refusal && createRefusalResult(refusal, context.ports);
    },
  };
};

const answerAndCache = <A extends ArgumentTable>(
  source: MetaToolSource<A>,
  question: AnswerKey & { readonly args: ArgumentValues<A> },
  context: MetaToolContext,
): CallResult | Promise<CallResult> => {
  const answer = source.answer(question.args, context);
  if (!(answer instanceof Promise)) context.memo.keep(question, context, answer);
  return answer;
};

/** One argument of a meta-tool: its schema in `tools/list` and the parser of its value. */
interface Argument<T> {
  /** The JSON Schema of the property. */
  readonly schema: JsonObject;
  readonly required: boolean;
  /** Reads the value of the argument called `name`; `undefined` and `null` mean "not given". */
  readonly read: (value: unknown, name: string) => Read<T>;
}

/** The arguments of one meta-tool by name, in the order in which they are shown and checked. */
type ArgumentTable = Readonly<Record<string, Argument<unknown>>>;

/** The parsed arguments of a table. */
export type ArgumentValues<A extends ArgumentTable> = {
  readonly [K in keyof A]: A[K] extends Argument<infer T> ? T : never;
};

/** The JSON Schema that `tools/list` shows for a table of arguments. Unknown arguments are refused with the expected one, which says more than a client's own check. */
const toInputSchema = (table: ArgumentTable): JsonObject => {
  const entries = Object.entries(table);
  const required = entries.filter(([, argument]) => argument.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 && { required }),
  };
};

const PLAIN_NAME = /[^a-z0-9]/g;
const toPlainName = (name: string): string => name.toLowerCase().replace(PLAIN_NAME, '');

/** Returns whether two names resemble each other: `args` and `arguments`, `tool_name` and `name`. */
const isSimilarName = (given: string, expected: string): boolean => {
  const [a, b] = [toPlainName(given.slice(0, 100)), toPlainName(expected)];
  return a.length >= 2 && (a.includes(b) || b.includes(a) || a.slice(0, 3) === b.slice(0, 3));
};

const findType = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? 'integer' : typeof value;
};

/** Returns the argument that an unknown one stands for: one that is not given, has the type of the value, and resembles it or is alone; all arguments when it is not clear. */
const findIntendedNames = (
  entries: readonly (readonly [string, Argument<unknown>])[],
  source: JsonObject,
  unknown: string,
): readonly string[] => {
  const type = findType(source[unknown]);
  const free = entries.filter(
    ([name, { schema }]) => !Object.hasOwn(source, name) && schema['type'] === type,
  );
  const required = free.filter(([, argument]) => argument.required);
  const resembling = free.filter(([name]) => isSimilarName(unknown, name));
  const intended = [resembling, required, free].find((some) => some.length === 1) ?? entries;
  return intended.map(([name]) => name);
};

/**
 * Returns the parser of a request's arguments by their table, in its order; the first problem is the refusal. An argument that is not in
 * the table is one, because a call without it would do something else than the caller expects. A tool without arguments ignores those that
 * clients make up.
 */
const createArgumentReader = <A extends ArgumentTable>(
  table: A,
): ((given: unknown) => Read<ArgumentValues<A>>) => {
  const entries = Object.entries(table);
  const findUnknown = (source: JsonObject): string | undefined =>
    Object.keys(source).find((name) => !Object.hasOwn(table, name) && source[name] !== null);
  return (given) => {
    const source = given ?? {};
    if (!isJsonObject(source)) {
      return refuse({ code: 'argument.type', argument: 'arguments', expected: 'a JSON object' });
    }
    const unknown = entries.length === 0 ? undefined : findUnknown(source);
    if (unknown !== undefined) {
      const expected = findIntendedNames(entries, source, unknown);
      return refuse({ code: 'argument.unknown', argument: unknown, expected });
    }
    const values: Record<string, unknown> = {};
    for (const [name, argument] of entries) {
      const value = argument.read(Object.hasOwn(source, name) ? source[name] : undefined, name);
      if (!value.ok) return value;
      values[name] = value.value;
    }
    return read(values as ArgumentValues<A>);
  };
};

/** The most characters of a text argument: longer than any name, URI or query in use, short enough to echo and to match. */
const MAX_TEXT_ARGUMENT_CHARS = 8192;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const refuseType = (argument: string, expected: string): Read<never> =>
  refuse({ code: 'argument.type', argument, expected });

const readText = (value: unknown, argument: string): Read<string> => {
  if (typeof value !== 'string') return refuseType(argument, 'a string');
  if (value.length <= MAX_TEXT_ARGUMENT_CHARS) return read(value);
  return refuse({ code: 'argument.too-long', argument, maximum: MAX_TEXT_ARGUMENT_CHARS });
};

const describe = (schema: JsonObject, description: string | undefined): JsonObject =>
  description === undefined ? schema : { ...schema, description };

/** A text that must be given and not be empty. Without a description the name of the argument says enough. */
export const createTextArgument = (description?: string): Argument<string> => ({
  schema: describe({ type: 'string' }, description),
  required: true,
  read: (value, name) =>
    isGiven(value) && value !== ''
      ? readText(value, name)
      : refuse({ code: 'argument.missing', argument: name }),
});

/** A text that may be absent; an empty one counts as absent. */
export const createOptionalTextArgument = (description: string): Argument<string | undefined> => ({
  schema: { type: 'string', description },
  required: false,
  read: (value, name) => (isGiven(value) && value !== '' ? readText(value, name) : read(undefined)),
});

/** An argument that may be absent, with its value in that case. */
const createOptionalArgument = <T>(
  schema: JsonObject,
  absent: T,
  readGiven: (value: unknown, name: string) => Read<T>,
): Argument<T> => ({
  schema,
  required: false,
  read: (value, name) => (isGiven(value) ? readGiven(value, name) : read(absent)),
});

/** A boolean; absent means false. */
export const createFlagArgument = (description?: string): Argument<boolean> =>
  createOptionalArgument(describe({ type: 'boolean' }, description), false, (value, name) =>
    typeof value === 'boolean' ? read(value) : refuseType(name, 'a boolean'),
  );

const readCount = (value: unknown, argument: string, minimum: number): Read<number> => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return refuseType(argument, 'a number');
  if (value < minimum) return refuse({ code: 'argument.too-small', argument, minimum });
  return Number.isInteger(value) ? read(value) : refuseType(argument, 'a whole number');
};

/** A whole number of at least `minimum`, which is also the default unless the schema shows another one. */
export const createCountArgument = (minimum: number, fallback = minimum): Argument<number> =>
  createOptionalArgument(
    { type: 'integer', ...(fallback !== minimum && { default: fallback }) },
    fallback,
    (value, name) => readCount(value, name, minimum),
  );

/** A whole number of at least `minimum` that may be absent. */
export const createOptionalCountArgument = (minimum: number): Argument<number | undefined> =>
  createOptionalArgument<number | undefined>({ type: 'integer' }, undefined, (value, name) =>
    readCount(value, name, minimum),
  );

/** An open JSON object, passed on unchanged; absent means empty. */
export const createObjectArgument = (description: string): Argument<JsonObject> => ({
  schema: { type: 'object', description, additionalProperties: true },
  required: false,
  read: (value, name) => {
    const object = isGiven(value) ? value : {};
    return isJsonObject(object) ? read(object) : refuseType(name, 'a JSON object');
  },
});

/** Texts by name; other values are printed as JSON, `null` counts as absent. The keys are open: a null-prototype object. */
export const createTextMapArgument = (
  description: string,
): Argument<Readonly<Record<string, string>>> =>
  createOptionalArgument<Readonly<Record<string, string>>>(
    { type: 'object', description, additionalProperties: { type: 'string' } },
    Object.freeze(Object.create(null) as Record<string, string>),
    (value, name) => {
      if (!isJsonObject(value)) return refuseType(name, 'a JSON object');
      const texts = Object.create(null) as Record<string, string>;
      for (const [key, entry] of Object.entries(value)) {
        if (isGiven(entry)) texts[key] = typeof entry === 'string' ? entry : JSON.stringify(entry);
      }
      return read(texts);
    },
  );

/** The most characters of all selectors of a `toolset` argument together: refusals repeat them. */
const MAX_TOOLSET_ARGUMENT_CHARS = 65_536;

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The selectors of a toolset, unparsed; an empty list is given, not absent. @spec §4.3 */
export const createSelectorsArgument = (
  description: string,
): Argument<readonly string[] | undefined> =>
  createOptionalArgument<readonly string[] | undefined>(
    { type: 'array', description, items: { type: 'string' } },
    undefined,
    (value, argument) => {
      if (!isTextList(value)) return refuseType(argument, 'an array of selector strings');
      // A list that is too long is refused for its number of entries, whatever their length.
      const isTooMany = value.length > MAX_INLINE_SELECTORS;
      const characters = value.reduce((sum, text) => sum + text.length, 0);
      const maximum = MAX_TOOLSET_ARGUMENT_CHARS;
      if (isTooMany || characters <= maximum) return read(value);
      return refuse({ code: 'argument.too-long', argument, maximum });
    },
  );
