import { oneWayLimit, type Callback } from './callback.ts';

/**
 * The encoded form of a list of values. Long strings of the list travel unchanged beside the JSON text, so that a text which is already
 * JSON is neither escaped nor parsed.
 */
export interface Payload {
  /** JSON of {@link Encoded}. */
  readonly json: string;
  readonly texts: readonly string[];
}

/** Position of a value: an element of the list, or one property of an element. */
type Place = readonly [index: number, key?: string];

/** The values, the positions of the texts, and the positions of callbacks and of the signal, which have no JSON form. */
type Encoded = readonly [
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

/** Creates what a decoded call receives in place of its callbacks and its signal. */
export interface DecodeTarget {
  /** @param limit of a one-way callback; `undefined` for one that is a request */
  callback(number: number, limit: number | undefined): Callback;
  signal(): AbortSignal;
}

const MIN_TEXT_CHARS = 64;

const isLive = (value: unknown): value is Callback | AbortSignal =>
  typeof value === 'function' || value instanceof AbortSignal;

const isPlainObject = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Collects what has no JSON form while a list is encoded. */
class Encoder {
  readonly callbacks: Callback[] = [];
  readonly places: (readonly [number | null, ...Place])[] = [];
  readonly signals: Place[] = [];
  readonly texts: string[] = [];
  readonly textIndexes: number[] = [];
  signal: AbortSignal | undefined;

  encode(value: unknown, index: number): unknown {
    if (typeof value === 'string') return this.#text(value, index);
    if (isLive(value)) return this.#live(value, [index]);
    if (!isPlainObject(value) || !hasLive(value)) return value;
    return Object.fromEntries(
      Object.entries(value).filter(([key, own]) => !isLive(own) || this.#live(own, [index, key])),
    );
  }

  #text(value: string, index: number): unknown {
    if (value.length < MIN_TEXT_CHARS) return value;
    this.texts.push(value);
    this.textIndexes.push(index);
    return 0;
  }

  #live(value: Callback | AbortSignal, place: Place): undefined {
    if (typeof value !== 'function') {
      this.signal = value;
      this.signals.push(place);
      return;
    }
    this.callbacks.push(value);
    this.places.push([oneWayLimit(value) ?? null, ...place]);
  }
}

const hasLive = (value: Readonly<Record<string, unknown>>): boolean => {
  for (const key in value) if (isLive(value[key])) return true;
  return false;
};

/**
 * Encodes values. Functions and one `AbortSignal` may be values of the list or properties of plain objects in it.
 *
 * @throws when a value has no JSON form
 */
export const encodeCall = (values: readonly unknown[]): EncodedCall => {
  const encoder = new Encoder();
  const encoded: unknown[] = values.map((value, index) => encoder.encode(value, index));
  const { textIndexes, places, signals, texts, callbacks, signal } = encoder;
  const parts: unknown[] = [encoded];
  if (textIndexes.length + callbacks.length + signals.length > 0) parts.push(textIndexes);
  if (callbacks.length + signals.length > 0) parts.push(places, signals);
  return { payload: { json: JSON.stringify(parts), texts }, callbacks, signal };
};

const place = (values: unknown[], [index, key]: Place, value: unknown): void => {
  if (key === undefined) {
    values[index] = value;
    return;
  }
  const owner = values[index];
  const descriptor = { value, enumerable: true, writable: true, configurable: true };
  if (isPlainObject(owner)) Object.defineProperty(owner, key, descriptor);
};

/**
 * Decodes values.
 *
 * @throws when the payload was not written by {@link encodeCall}
 */
export const decodeCall = ({ json, texts }: Payload, target: DecodeTarget): unknown[] => {
  const [values, textIndexes = [], callbacks = [], signals = []] = JSON.parse(json) as Encoded;
  for (const [number, index] of textIndexes.entries()) values[index] = texts[number];
  for (const [number, [limit, ...where]] of callbacks.entries())
    place(values, where, target.callback(number, limit ?? undefined));
  for (const where of signals) place(values, where, target.signal());
  return values;
};

/** Returns the number of characters of a payload. */
export const sizeOf = ({ json, texts }: Payload): number =>
  texts.reduce((sum, text) => sum + text.length, json.length);
