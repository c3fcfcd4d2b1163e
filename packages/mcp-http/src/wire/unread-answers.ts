import { InFlight } from '@gateway/call-contract';
import type { ServerResponse } from 'node:http';
import type { McpHttpLimits } from '../protocol/limits.ts';

/** Number of the unread answer of a response. */
const NUMBER = Symbol('unread answer');

interface Followed extends ServerResponse {
  [NUMBER]?: number | undefined;
}

interface UnreadAnswer {
  readonly response: Followed;
  /** Time of the first unread byte. */
  readonly since: number;
  /** Unread bytes when they were last counted. */
  bytes: number;
}

/**
 * Part of the bound up to which answers are texts. An unread text counts its characters, and occupies up to five bytes for each: two
 * of the text and three of its bytes.
 */
const TEXT_PART = 1 / 8;

/**
 * The bytes of answers that clients have not read, bounded over all connections. When an answer would exceed the bound, the
 * connections that have had unread bytes for the longest time are closed, and the answer is refused when that is not enough.
 */
export class UnreadAnswers {
  readonly #maxBytes: number;
  readonly #slowReaderMs: number;
  readonly #now: () => number;
  readonly #unread = new InFlight<number, UnreadAnswer>();
  #count = 0;
  /** At least the number of unread bytes: readers read without a report. */
  #bytes = 0;

  constructor(
    {
      maxUnreadAnswerBytes,
      slowReaderMs,
    }: Pick<McpHttpLimits, 'maxUnreadAnswerBytes' | 'slowReaderMs'>,
    now: () => number = () => performance.now(),
  ) {
    this.#maxBytes = maxUnreadAnswerBytes;
    this.#slowReaderMs = slowReaderMs;
    this.#now = now;
  }

  /** The bound, in bytes. */
  get limit(): number {
    return this.#maxBytes;
  }

  /** Unread bytes now. */
  get bytes(): number {
    this.#recount();
    return this.#bytes;
  }

  /** Returns whether an answer of this size can be written. */
  admits(bytes: number): boolean {
    if (this.#bytes + bytes <= this.#maxBytes) return true;
    this.#recount();
    if (this.#bytes + bytes > this.#maxBytes) this.#closeSlowReaders(bytes);
    return this.#bytes + bytes <= this.#maxBytes;
  }

  /**
   * Returns whether clients leave so little unread that the runtime may hold the text of an answer with its bytes. Texts add half of
   * the bound at most.
   */
  admitsText(bytes: number): boolean {
    return this.#bytes + bytes <= this.#maxBytes * TEXT_PART;
  }

  /** Counts the bytes of a response that are not read yet, until they are. Called after each write. */
  follow(response: Followed): void {
    const bytes = response.writableLength;
    if (bytes === 0 || response.destroyed) return;
    const found = this.#find(response);
    if (found !== undefined) {
      this.#bytes += bytes - found.bytes;
      found.bytes = bytes;
      return;
    }
    response[NUMBER] = this.#count += 1;
    this.#unread.set(this.#count, { response, since: this.#now(), bytes });
    this.#bytes += bytes;
    // Both listeners go at the first event: a stream lags and drains many times before it closes.
    const forget = (): void => {
      response.off('close', forget).off('drain', forget);
      this.#forget(response);
    };
    response.on('close', forget).on('drain', forget);
  }

  #find({ [NUMBER]: number }: Followed): UnreadAnswer | undefined {
    return number === undefined ? undefined : this.#unread.get(number);
  }

  #forget(response: Followed): void {
    const { [NUMBER]: number } = response;
    const found = this.#find(response);
    if (number === undefined || found === undefined) return;
    response[NUMBER] = undefined;
    this.#unread.delete(number);
    this.#bytes -= found.bytes;
  }

  #recount(): void {
    let total = 0;
    for (const answer of this.#unread.values()) {
      answer.bytes = answer.response.writableLength;
      total += answer.bytes;
    }
    this.#bytes = total;
  }

  #closeSlowReaders(bytes: number): void {
    const slowSince = this.#now() - this.#slowReaderMs;
    for (const { response, since } of this.#unread.values()) {
      if (this.#bytes + bytes <= this.#maxBytes || since > slowSince) return;
      this.#forget(response);
      // A pipelined response has no socket before its turn.
      if (response.socket === null) response.req.socket.destroy();
      else response.destroy();
    }
  }
}
