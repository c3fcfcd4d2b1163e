import { ChunkedBody } from './chunked-body.ts';
import { HttpClientError, invalidResponse } from './http-client-error.ts';
import { parseResponseHead } from './response-head.ts';
import type { ResponseHead } from './response-head.ts';

/** Receives the parts of a response. */
export interface ResponseSink {
  onHead(head: ResponseHead): void;
  /** The bytes are valid during the call only. */
  onData(bytes: Buffer): void;
  /** @param isPersistent the connection can carry another request */
  onEnd(isPersistent: boolean): void;
}

const END_OF_HEAD = '\r\n\r\n';
/** So many bytes may belong to the end of a head that has not arrived. */
const PARTIAL_END = END_OF_HEAD.length - 1;
/** Interim responses before the final one, RFC 9110 §15.2. */
const MAX_INTERIM = 16;
const NOTHING = Buffer.alloc(0);

type State = 'idle' | 'head' | 'length' | 'chunked' | 'connection' | 'complete';

/** Parses the responses of one connection, one after the other. RFC 9112 */
export class ResponseParser {
  readonly #maxHeadBytes: number;
  readonly #sink: ResponseSink;
  #state: State = 'idle';
  /** The beginning of a head whose end has not arrived. */
  #partial = NOTHING;
  #left = 0;
  #chunks: ChunkedBody | undefined;
  #interim = 0;
  #isPersistent = false;
  /** The last head with its text: most responses of a server have the same. */
  #lastText = '';
  #lastHead: ResponseHead | undefined;

  constructor(maxHeadBytes: number, sink: ResponseSink) {
    this.#maxHeadBytes = maxHeadBytes;
    this.#sink = sink;
  }

  /** Expects a response from now on. */
  expect(): void {
    this.#state = 'head';
    this.#interim = 0;
  }

  /**
   * Parses the next bytes of the connection, and calls the sink. Bytes after the end of a response end the use of the connection.
   *
   * @throws {HttpClientError} `invalid-response`, also when no response is expected
   */
  push(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && this.#state !== 'complete') at = this.#step(bytes, at);
    if (this.#state === 'complete') this.#finish(at === bytes.length);
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'idle':
      case 'complete':
        throw invalidResponse('it was not asked for');
      case 'head':
        return this.#readHead(bytes, at);
      case 'length':
        return this.#readLength(bytes, at);
      case 'chunked':
        return this.#readChunks(bytes, at);
      case 'connection':
        this.#sink.onData(bytes.subarray(at));
        return bytes.length;
    }
  }

  /**
   * The connection has ended.
   *
   * @throws {HttpClientError} `connection-ended` when a response is expected or incomplete
   */
  end(): void {
    if (this.#state === 'idle') return;
    if (this.#state !== 'connection')
      throw new HttpClientError(
        'connection-ended',
        'the server closed the connection before the end of its answer',
      );
    this.#finish(true);
  }

  #readHead(bytes: Buffer, from: number): number {
    if (this.#partial.length > 0) return this.#readSplitHead(bytes, from);
    const end = bytes.indexOf(END_OF_HEAD, from, 'latin1');
    this.#checkHead(end === -1 ? bytes.length - from - PARTIAL_END : end - from);
    if (end === -1) {
      this.#partial = Buffer.from(bytes.subarray(from));
      return bytes.length;
    }
    this.#begin(this.#headOf(bytes.toString('latin1', from, end)));
    return end + END_OF_HEAD.length;
  }

  /** Reads a head of which earlier bytes arrived before. */
  #readSplitHead(bytes: Buffer, from: number): number {
    const known = this.#partial.length;
    const needed = this.#maxHeadBytes + END_OF_HEAD.length - known;
    const whole = Buffer.concat([this.#partial, bytes.subarray(from, from + Math.max(needed, 1))]);
    const end = whole.indexOf(END_OF_HEAD, Math.max(0, known - END_OF_HEAD.length), 'latin1');
    if (end === -1) {
      this.#checkHead(whole.length - PARTIAL_END);
      this.#partial = whole;
      return bytes.length;
    }
    this.#partial = NOTHING;
    this.#begin(this.#headOf(whole.toString('latin1', 0, end)));
    return from + end + END_OF_HEAD.length - known;
  }

  #checkHead(bytes: number): void {
    if (bytes > this.#maxHeadBytes) throw invalidResponse('its head is too long');
  }

  #begin(head: ResponseHead): void {
    if (head.status < 200) {
      this.#interim += 1;
      if (head.status === 101)
        throw invalidResponse('it changes to a protocol that was not asked for');
      if (this.#interim > MAX_INTERIM) throw invalidResponse('it has too many interim responses');
      return;
    }
    const { framing } = head;
    this.#isPersistent = head.isPersistent;
    this.#sink.onHead(head);
    if (framing.kind === 'none' || (framing.kind === 'length' && framing.bytes === 0)) {
      this.#state = 'complete';
      return;
    }
    if (framing.kind === 'length') this.#left = framing.bytes;
    else if (framing.kind === 'chunked')
      this.#chunks = new ChunkedBody((bytes) => this.#sink.onData(bytes));
    this.#state = framing.kind;
  }

  #readLength(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.#left);
    this.#left -= end - from;
    this.#sink.onData(bytes.subarray(from, end));
    if (this.#left === 0) this.#state = 'complete';
    return end;
  }

  #readChunks(bytes: Buffer, from: number): number {
    const chunks = this.#chunks;
    if (chunks === undefined) return bytes.length;
    const end = chunks.push(bytes, from);
    if (chunks.isOver) this.#state = 'complete';
    return end;
  }

  #headOf(text: string): ResponseHead {
    if (this.#lastHead === undefined || text !== this.#lastText) {
      this.#lastHead = parseResponseHead(text);
      this.#lastText = text;
    }
    return this.#lastHead;
  }

  /** @param isLast the response is the last that the connection has sent */
  #finish(isLast: boolean): void {
    this.#state = 'idle';
    this.#chunks = undefined;
    this.#sink.onEnd(this.#isPersistent && isLast);
  }
}
