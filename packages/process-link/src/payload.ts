import { oneWayLimit, type Callback } from './callback.ts';

/**
 * The encoded form of a list of values. Long strings of the list travel unchanged next to the JSON text, so that a text which is already
 * JSON is neither escaped nor parsed.
 */
export interface Payload {
  /** JSON of {@link Encoded}. */
  readonly json: string;
  readonly texts: readonly string[];
}

/** Position of a value: an element of the list, or one property of an element. */
type Place = readonly [index: number, key?: string];

/** The values, and the positions of the texts, the callbacks and the signals. */
type Encoded = [
  values: unknown[],
  texts?: readonly number[],
  callbacks?: readonly (readonly [limit: number | null, ...place: Place])[],
  signals?: readonly Place[],
];

/** A payload with the callbacks and the signal that it refers to. */
export interface EncodedCall {
  readonly payload: Payload;
  readonly callbacks: readonly Callback[];
  readonly signal: AbortSignal | undefined;
}

/** Creates the callbacks and the signal of a decoded call. */
export interface DecodeTarget {
  /** @param limit of a one-way callback; `undefined` for one that is a request */
  callback(number: number, limit: number | undefined): Callback;
  signal(): AbortSignal;
}

/** Refuses callbacks and signals: they belong to a call, and results and notifications are not part of one. */
export const DATA_ONLY: DecodeTarget = {
  callback: () => {
    throw new TypeError('a function is allowed in the arguments of a call only');
  },
  signal: () => {
    throw new TypeError('a signal is allowed in the arguments of a call only');
  },
};

const MIN_TEXT_CHARS = 64;
/** The longest list that is decoded: its values become the arguments of a function. */
const MAX_VALUES = 1024;
/** The JSON text of a list whose only value is a text, as most results are. */
const ONE_TEXT = '[[0],[0]]';

const isLive = (value: unknown): value is Callback | AbortSignal =>
  typeof value === 'function' || value instanceof AbortSignal;

const isPlainObject = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Removes texts, callbacks and signals from the values. */
class Extraction {
  readonly texts: string[] = [];
  readonly textIndexes: number[] = [];
  readonly callbacks: Callback[] = [];
  readonly callbackPlaces: (readonly [limit: number | null, ...place: Place])[] = [];
  readonly signalPlaces: Place[] = [];
  signal: AbortSignal | undefined;

  /** Returns the part of a value that is written as JSON. */
  rest(value: unknown, index: number): unknown {
    if (typeof value === 'string') return this.#text(value, index);
    if (isLive(value)) {
      this.#take(value, [index]);
      return undefined;
    }
    return isPlainObject(value) ? this.#properties(value, index) : value;
  }

  #text(value: string, index: number): unknown {
    if (value.length < MIN_TEXT_CHARS) return value;
    this.texts.push(value);
    this.textIndexes.push(index);
    return 0;
  }

  #properties(object: Readonly<Record<string, unknown>>, index: number): unknown {
    let rest: Record<string, unknown> | undefined;
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (!isLive(value)) continue;
      this.#take(value, [index, key]);
      rest ??= { ...object };
      // JSON has no `undefined`: the property is not written.
      rest[key] = undefined;
    }
    return rest ?? object;
  }

  #take(value: Callback | AbortSignal, place: Place): void {
    if (typeof value !== 'function') {
      this.signal = value;
      this.signalPlaces.push(place);
      return;
    }
    this.callbacks.push(value);
    this.callbackPlaces.push([oneWayLimit(value) ?? null, ...place]);
  }
}

/**
 * Encodes values. Functions and one `AbortSignal` may be values of the list or properties of plain objects in it. As in any JSON array, an
 * `undefined` between other values becomes `null`.
 *
 * @throws when a value has no JSON form
 */
export const encodeCall = (values: readonly unknown[]): EncodedCall => {
  const [only] = values;
  if (values.length === 1 && typeof only === 'string' && only.length >= MIN_TEXT_CHARS)
    return { payload: { json: ONE_TEXT, texts: [only] }, callbacks: [], signal: undefined };
  const taken = new Extraction();
  const length = values.findLastIndex((value) => value !== undefined) + 1;
  const rest = values.slice(0, length).map((value, index) => taken.rest(value, index));
  const { texts, textIndexes, callbacks, callbackPlaces, signalPlaces, signal } = taken;
  const encoded: Encoded = [rest];
  const hasLive = callbacks.length + signalPlaces.length > 0;
  if (hasLive || texts.length > 0) encoded.push(textIndexes);
  if (hasLive) encoded.push(callbackPlaces, signalPlaces);
  return { payload: { json: JSON.stringify(encoded), texts }, callbacks, signal };
};

/**
 * Decodes values.
 *
 * @throws when the payload was not written by {@link encodeCall}
 */
export const decodeCall = ({ json, texts }: Payload, target: DecodeTarget): unknown[] => {
  if (json === ONE_TEXT) return [texts[0]];
  const [values, textIndexes = [], callbacks = [], signals = []] = JSON.parse(json) as Encoded;
  if (!Array.isArray(values) || values.length > MAX_VALUES)
    throw new TypeError('the values are not a list of allowed length');
  textIndexes.forEach((index, number) => {
    put(values, [index], texts[number]);
  });
  callbacks.forEach(([limit, ...place], number) =>
    put(values, place, target.callback(number, limit ?? undefined)),
  );
  for (const place of signals) put(values, place, target.signal());
  return values;
};

/** Sets a value at a place that exists in the list, and nowhere else: the place comes from the other process. */
const put = (values: unknown[], [index, key]: Place, value: unknown): void => {
  if (!Number.isInteger(index) || !Object.hasOwn(values, index))
    throw new TypeError('a place outside the list of values');
  const owner = values[index];
  if (key === undefined) values[index] = value;
  else if (isPlainObject(owner) && key !== '__proto__') owner[key] = value;
};

/** Returns the number of characters of a payload. */
export const sizeOf = ({ json, texts }: Payload): number =>
  texts.reduce((sum, text) => sum + text.length, json.length);
