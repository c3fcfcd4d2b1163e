import { invalidResponse } from './http-client-error.ts';
import { fieldOf } from './response-head.ts';

const CR = 0x0d;
const LF = 0x0a;
/** Size of a chunk in hexadecimal digits, with extensions that are not used. RFC 9112 §7.1 without blanks and escapes */
const SIZE_LINE =
  /^([\dA-Fa-f]{1,12})(?:;[!#$%&'*+.^_`|~\dA-Za-z-]+(?:=(?:[!#$%&'*+.^_`|~\dA-Za-z-]+|"[ !\u0023-\u005b\u005d-\u007e]*"))?)*$/;
/** Maximum length of a line that states a size, and of all trailers. */
const MAX_LINE_BYTES = 4 * 1024;

type State = 'size' | 'data' | 'data-end' | 'trailers' | 'over';

/** Decodes a chunked body. Trailers are read and ignored. */
export class ChunkedBody {
  readonly #onData: (bytes: Buffer) => void;
  #state: State = 'size';
  #left = 0;
  /** The beginning of a line whose end has not arrived. */
  #line = '';
  #trailerBytes = 0;

  /** @param onData receives each part, whose bytes are valid during the call only */
  constructor(onData: (bytes: Buffer) => void) {
    this.#onData = onData;
  }

  /** Returns whether the body is complete. */
  get isOver(): boolean {
    return this.#state === 'over';
  }

  /**
   * Decodes the next bytes up to the end of the body. Returns the index of the first byte that does not belong to the body.
   *
   * @throws {HttpClientError} `invalid-response`
   */
  push(bytes: Buffer, from: number): number {
    let at = from;
    while (at < bytes.length && this.#state !== 'over')
      at = this.#state === 'data' ? this.#readData(bytes, at) : this.#readLine(bytes, at);
    return at;
  }

  #readData(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.#left);
    this.#left -= end - from;
    if (this.#left === 0) this.#state = 'data-end';
    this.#onData(bytes.subarray(from, end));
    return end;
  }

  #readLine(bytes: Buffer, from: number): number {
    const end = bytes.indexOf(LF, from);
    const to = end === -1 ? bytes.length : end;
    if (this.#line.length + to - from > MAX_LINE_BYTES)
      throw invalidResponse('a line of its chunks is too long');
    this.#line += bytes.toString('latin1', from, to);
    if (end === -1) return to;
    const line = this.#line;
    this.#line = '';
    if (line.charCodeAt(line.length - 1) !== CR)
      throw invalidResponse('a line of its chunks does not end with CRLF');
    this.#take(line.slice(0, -1));
    return end + 1;
  }

  #take(line: string): void {
    if (this.#state === 'size') this.#takeSize(line);
    else if (this.#state === 'data-end') {
      if (line !== '') throw invalidResponse('a chunk is longer than its size');
      this.#state = 'size';
    } else this.#takeTrailer(line);
  }

  #takeSize(line: string): void {
    const [, digits] = SIZE_LINE.exec(line) ?? [];
    if (digits === undefined) throw invalidResponse('a chunk has no size');
    this.#left = Number.parseInt(digits, 16);
    this.#state = this.#left === 0 ? 'trailers' : 'data';
  }

  #takeTrailer(line: string): void {
    this.#trailerBytes += line.length;
    if (this.#trailerBytes > MAX_LINE_BYTES) throw invalidResponse('its trailers are too long');
    if (line === '') this.#state = 'over';
    else fieldOf(line);
  }
}
