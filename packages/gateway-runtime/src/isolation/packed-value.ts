import type { JsonMap, JsonValue } from '@gateway/crd-schemas';

/**
 * A part of a packed value: a scalar is itself; `[LIST, length]` and `[MAP, length]` precede the members, and the key precedes the value of
 * each member of a map; `[PIECE, text]` is the beginning of the next string; `[NUMBER, text]` is a number that JSON does not have.
 */
export type Token = null | boolean | number | string | readonly [TokenKind, number | string];

/** Kind of the token before the members of a list. */
export const LIST = 0;
/** Kind of the token before the keys and values of a map. */
export const MAP = 1;
/** Kind of a token with the beginning of a string. */
export const PIECE = 2;
/** Kind of a token with a number that JSON does not have. */
export const NUMBER = 3;
type TokenKind = typeof LIST | typeof MAP | typeof PIECE | typeof NUMBER;

/** Size of a part in characters and tokens: packing and unpacking one takes about a millisecond. */
const MAX_PART_SIZE = 128 * 1024;
/** A token counts as this number of characters. */
const TOKEN_SIZE = 16;
const PIECE_CHARS = 64 * 1024;

interface Frame {
  readonly members: readonly JsonValue[] | JsonMap;
  /** Absent for a list. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/** Packs a value into parts, so that sending a large value does not block the process. A value must not change meanwhile. */
export class ValuePacker {
  readonly #stack: Frame[] = [];
  #tokens: Token[] = [];
  #size = 0;
  #text: { readonly value: string; at: number } | undefined;
  #hasEnded = false;

  constructor(value: JsonValue) {
    this.#add(value);
  }

  /** Returns the next part as JSON; undefined after the last one. */
  next(): string | undefined {
    if (this.#hasEnded) return undefined;
    while (this.#size < MAX_PART_SIZE && this.#advance());
    const part = JSON.stringify(this.#tokens);
    this.#tokens = [];
    this.#size = 0;
    this.#hasEnded = this.#stack.length === 0 && this.#text === undefined;
    return part;
  }

  /** Adds the next token; returns false after the last one. */
  #advance(): boolean {
    if (this.#text !== undefined) {
      this.#addPiece(this.#text);
      return true;
    }
    const frame = this.#stack.at(-1);
    if (frame === undefined) return false;
    if (frame.next === frame.length) this.#stack.pop();
    else this.#addMember(frame);
    return true;
  }

  #addMember(frame: Frame): void {
    const { members, keys, next } = frame;
    frame.next += 1;
    if (keys === undefined) {
      this.#add((members as readonly JsonValue[])[next] ?? null);
      return;
    }
    const key = keys[next] ?? '';
    this.#push(key, key.length);
    this.#add((members as JsonMap)[key] ?? null);
  }

  #add(value: JsonValue): void {
    if (typeof value === 'string') this.#addText(value);
    else if (typeof value === 'number' && !Number.isFinite(value)) this.#push([NUMBER, `${value}`]);
    else if (typeof value !== 'object' || value === null) this.#push(value);
    else if (Array.isArray(value)) this.#open(value as readonly JsonValue[], undefined);
    else this.#open(value, Object.keys(value));
  }

  #open(members: Frame['members'], keys: readonly string[] | undefined): void {
    const length = keys?.length ?? (members as readonly JsonValue[]).length;
    this.#push([keys === undefined ? LIST : MAP, length]);
    this.#stack.push({ members, keys, length, next: 0 });
  }

  #addText(value: string): void {
    if (value.length <= PIECE_CHARS) this.#push(value, value.length);
    else this.#text = { value, at: 0 };
  }

  #addPiece(text: { readonly value: string; at: number }): void {
    const piece = text.value.slice(text.at, text.at + PIECE_CHARS);
    text.at += PIECE_CHARS;
    const isLast = text.at >= text.value.length;
    if (isLast) this.#text = undefined;
    this.#push(isLast ? piece : [PIECE, piece], piece.length);
  }

  #push(token: Token, size = 0): void {
    this.#tokens.push(token);
    this.#size += TOKEN_SIZE + size;
  }
}
