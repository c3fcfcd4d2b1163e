import { getHeapStatistics } from 'node:v8';
import { JsonScan, type JsonLimits, type JsonProblem } from './json-scan.ts';

/** The bounds of a text that is parsed. */
export interface ParseLimits extends JsonLimits {
  readonly maxBytes: number;
  readonly maxValues: number;
}

/** A parsed value has up to 16 times the size of its text (`1,1,1`, counted twice while it is read); a quarter of the heap is for one. */
const HEAP_BYTES_PER_BYTE = 64;

/** A member, object or array occupies up to 256 bytes; an eighth of the heap is for one text. */
const HEAP_BYTES_PER_VALUE = 2_048;

/** However large the heap is: a parser needs up to 5 µs for a member. */
const MAX_VALUES = 250_000;
const MAX_BYTES = 32 * 1024 * 1024;

const heapBytes = getHeapStatistics().heap_size_limit;

/** The bounds of a text that a server or another peer sent and that this process parses; they follow the limit of its heap. */
export const PARSE_LIMITS: ParseLimits = {
  maxLevels: 1_000,
  maxBytes: Math.min(MAX_BYTES, Math.floor(heapBytes / HEAP_BYTES_PER_BYTE)),
  maxValues: Math.min(MAX_VALUES, Math.floor(heapBytes / HEAP_BYTES_PER_VALUE)),
};

/** A parsed text, or why it was not parsed. */
export type ParsedJson<T = unknown> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: JsonProblem };

/** A text of fewer bytes than this cannot have more values or levels than any limit permits. */
const smallest = ({ maxLevels, maxValues }: ParseLimits): number => Math.min(maxLevels, maxValues);

/** Parses JSON text after its values were counted, so that no text can exhaust the memory of the process. */
export const parseJson = (
  text: string | Uint8Array,
  limits: ParseLimits = PARSE_LIMITS,
): ParsedJson => {
  if (text.length > limits.maxBytes)
    return { ok: false, problem: { code: 'json.too-large', limit: limits.maxBytes } };
  if (text.length > smallest(limits)) {
    const scan = new JsonScan(
      typeof text === 'string' ? Buffer.from(text) : text,
      undefined,
      limits,
    );
    scan.advance();
    if (scan.problem !== undefined) return { ok: false, problem: scan.problem };
  }
  try {
    const parsed = typeof text === 'string' ? text : decodeText(text);
    return { ok: true, value: JSON.parse(parsed) as unknown };
  } catch {
    return { ok: false, problem: { code: 'json.unexpected', at: 0 } };
  }
};

/** Returns the text of bytes (UTF-8) without copying them first. */
export const decodeText = (bytes: Uint8Array, from = 0, to = bytes.length): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8');
