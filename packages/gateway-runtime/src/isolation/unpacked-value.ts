import type { JsonValue } from '@gateway/crd-schemas';
import { LIST, MAP, NUMBER, PIECE, type Token } from './packed-value.ts';

interface Frame {
  readonly members: JsonValue[] | Record<string, JsonValue>;
  left: number;
  key: string | undefined;
}

/** Keys from outside may be `__proto__`. */
const define = (map: Record<string, JsonValue>, key: string, value: JsonValue): void => {
  if (key !== '__proto__') {
    map[key] = value;
    return;
  }
  Object.defineProperty(map, key, {
    ...{ value, configurable: true, enumerable: true, writable: true },
  });
};

/** Restores a value from the parts of a `ValuePacker`. */
export class ValueUnpacker {
  readonly #stack: Frame[] = [];
  #pieces: string[] = [];
  #value: JsonValue | undefined;

  /** The value, after the last part. */
  get value(): JsonValue {
    if (this.#value === undefined || this.#stack.length > 0)
      throw new TypeError('parts are missing');
    return this.#value;
  }

  /** Adds a part. */
  add(part: string): void {
    for (const token of JSON.parse(part) as readonly Token[]) this.#addToken(token);
  }

  #addToken(token: Token): void {
    if (typeof token === 'string') this.#addText(token);
    else if (typeof token !== 'object' || token === null) this.#place(token);
    else this.#addSpecial(...token);
  }

  #addSpecial(kind: number, content: number | string): void {
    switch (kind) {
      case LIST:
        this.#open([], Number(content));
        return;
      case MAP:
        this.#open({}, Number(content));
        return;
      case PIECE:
        this.#pieces.push(String(content));
        return;
      case NUMBER:
        this.#place(Number(content));
    }
  }

  #addText(text: string): void {
    const frame = this.#stack.at(-1);
    if (frame !== undefined && !Array.isArray(frame.members) && frame.key === undefined) {
      frame.key = text;
      return;
    }
    if (this.#pieces.length === 0) {
      this.#place(text);
      return;
    }
    const whole = this.#pieces.join('') + text;
    this.#pieces = [];
    this.#place(whole);
  }

  #open(members: Frame['members'], length: number): void {
    this.#attach(members);
    this.#stack.push({ members, left: length, key: undefined });
    this.#close();
  }

  #place(value: JsonValue): void {
    this.#attach(value);
    this.#close();
  }

  #attach(value: JsonValue): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined) this.#value = value;
    else if (Array.isArray(frame.members)) frame.members.push(value);
    else define(frame.members, frame.key ?? '', value);
    if (frame === undefined) return;
    frame.key = undefined;
    frame.left -= 1;
  }

  /** Leaves lists and maps that are complete. */
  #close(): void {
    while (this.#stack.at(-1)?.left === 0) this.#stack.pop();
  }
}
