import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import { MAX_INLINE_SELECTORS } from '@gateway/toolset-grammar';
import { read, refuse, type Argument, type Read } from './argument.ts';

/** The most characters of a text argument: longer than any name, URI or query in use, short enough to echo and to match. */
const MAX_TEXT_ARGUMENT_CHARS = 8192;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const wrongType = (argument: string, expected: string): Read<never> =>
  refuse({ code: 'argument.type', argument, expected });

const readText = (value: unknown, argument: string): Read<string> => {
  if (typeof value !== 'string') return wrongType(argument, 'a string');
  if (value.length <= MAX_TEXT_ARGUMENT_CHARS) return read(value);
  return refuse({ code: 'argument.too-long', argument, maximum: MAX_TEXT_ARGUMENT_CHARS });
};

/** A text that must be given and not be empty. */
export const requiredText = (description: string): Argument<string> => ({
  schema: { type: 'string', description },
  required: true,
  read: (value, name) =>
    isGiven(value) && value !== ''
      ? readText(value, name)
      : refuse({ code: 'argument.missing', argument: name }),
});

/** A text that may be absent; an empty one counts as absent. */
export const optionalText = (description: string): Argument<string | undefined> => ({
  schema: { type: 'string', description },
  required: false,
  read: (value, name) => (isGiven(value) && value !== '' ? readText(value, name) : read(undefined)),
});

/** A boolean with a default. */
export const flag = (description: string, fallback: boolean): Argument<boolean> => ({
  schema: { type: 'boolean', description, default: fallback },
  required: false,
  read: (value, name) => {
    if (!isGiven(value)) return read(fallback);
    return typeof value === 'boolean' ? read(value) : wrongType(name, 'a boolean');
  },
});

const readCount = (value: unknown, argument: string, minimum: number): Read<number> => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType(argument, 'a number');
  if (value < minimum) return refuse({ code: 'argument.too-small', argument, minimum });
  return Number.isInteger(value) ? read(value) : wrongType(argument, 'a whole number');
};

/** A whole number of at least `minimum`, with a default. */
export const count = (options: {
  readonly description: string;
  readonly minimum: number;
  readonly fallback: number;
}): Argument<number> => ({
  schema: {
    type: 'integer',
    description: options.description,
    minimum: options.minimum,
    default: options.fallback,
  },
  required: false,
  read: (value, name) =>
    isGiven(value) ? readCount(value, name, options.minimum) : read(options.fallback),
});

/** A whole number of at least `minimum` that may be absent. */
export const optionalCount = (options: {
  readonly description: string;
  readonly minimum: number;
}): Argument<number | undefined> => ({
  schema: { type: 'integer', description: options.description, minimum: options.minimum },
  required: false,
  read: (value, name) =>
    isGiven(value) ? readCount(value, name, options.minimum) : read(undefined),
});

/** An open JSON object, passed on unchanged; absent means empty. */
export const openObject = (description: string): Argument<JsonObject> => ({
  schema: { type: 'object', description, additionalProperties: true },
  required: false,
  read: (value, name) => {
    if (!isGiven(value)) return read({});
    return isJsonObject(value) ? read(value) : wrongType(name, 'a JSON object');
  },
});

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Texts by name; other values are printed as JSON, `null` counts as absent. The keys are open: a null-prototype object. */
export const textMap = (description: string): Argument<Readonly<Record<string, string>>> => ({
  schema: { type: 'object', description, additionalProperties: { type: 'string' } },
  required: false,
  read: (value, name) => {
    const texts = Object.create(null) as Record<string, string>;
    if (!isGiven(value)) return read(texts);
    if (!isJsonObject(value)) return wrongType(name, 'a JSON object');
    for (const [key, entry] of Object.entries(value)) {
      if (isGiven(entry)) texts[key] = textOf(entry);
    }
    return read(texts);
  },
});

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The most characters of all selectors of a `toolset` argument together: refusals repeat them. */
const MAX_TOOLSET_ARGUMENT_CHARS = 65_536;

const charsOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.length, 0);

/** The selectors of a toolset, unparsed; an empty list is given, not absent. @spec §4.3 */
export const selectors = (description: string): Argument<readonly string[] | undefined> => ({
  schema: { type: 'array', description, items: { type: 'string' } },
  required: false,
  read: (value, name) => {
    if (!isGiven(value)) return read(undefined);
    if (!isTextList(value)) return wrongType(name, 'an array of selector strings');
    // A list that is too long is refused for its number of entries, whatever their length.
    const isTooMany = value.length > MAX_INLINE_SELECTORS;
    if (isTooMany || charsOf(value) <= MAX_TOOLSET_ARGUMENT_CHARS) return read(value);
    return refuse({
      code: 'argument.too-long',
      argument: name,
      maximum: MAX_TOOLSET_ARGUMENT_CHARS,
    });
  },
});
