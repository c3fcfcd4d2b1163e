export type { JsonValue } from '@gateway/go-template';

/** A JSON object as received from a peer: any keys, unchecked values. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a value is a JSON object: not an array and not `null`. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
