export type { JsonValue } from '@gateway/go-template';

/** A JSON object as received from a peer: any keys, unchecked values. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a value is a JSON object: not an array and not `null`. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an object; an empty one for any other value. */
export const toObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Returns an own property of an object; `undefined` for any other value and for inherited properties. */
export const readOwnField = (value: unknown, key: string): unknown =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** Returns a list; an empty one for any other value. */
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the objects of a list. */
export const toObjects = (value: unknown): readonly JsonObject[] =>
  toList(value).filter(isJsonObject);

export const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns a text; an empty one for any other value. */
export const toText = (value: unknown): string => (isText(value) ? value : '');

/** Returns a text; `undefined` for any other value. */
export const findText = (value: unknown): string | undefined => (isText(value) ? value : undefined);

/** Returns the texts of a list. */
export const toTexts = (value: unknown): readonly string[] => toList(value).filter(isText);

/** Characters that some readers take for a line end, that change the displayed order, or that are invisible. Lists are faster than classes. */
const INVISIBLE =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]/;
const ALL_INVISIBLE = new RegExp(INVISIBLE, 'g');

const escapeUnits = (units: string): string =>
  units.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Returns a JSON text in which line ends of Unicode, bidirectional controls and invisible characters are escaped. Its value stays the
 * same, because such characters occur only in its strings.
 */
export const escapeInvisible = (json: string): string =>
  INVISIBLE.test(json) ? json.replace(ALL_INVISIBLE, escapeUnits) : json;
