import type { ServerResponse } from 'node:http';
import type { HttpExchange } from '../wire/http-exchange.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { Refusal } from '../protocol/refusal.ts';

const waiting = new WeakSet<ServerResponse>();

/** Marks a response as an event stream behind which nothing runs: its client waits for changes. */
const markWaitingStream = (response: ServerResponse): void => {
  waiting.add(response);
};

/** Returns whether a response is such a stream. */
export const isWaitingStream = (response: ServerResponse): boolean => waiting.has(response);

/**
 * The open event streams behind which no call runs, of sessions and of `subscriptions/listen`, bounded in number for the process
 * and per caller. At the limit of the process, a caller that has more streams than the new one loses its oldest, so that the
 * streams of one caller do not exclude the others.
 */
export class StreamLimits {
  readonly #limits: Pick<McpHttpLimits, 'maxStreams' | 'maxStreamsPerCaller'>;
  /** Streams by caller, oldest first. */
  readonly #open = new Map<string, Set<ServerResponse>>();
  #count = 0;

  constructor(limits: Pick<McpHttpLimits, 'maxStreams' | 'maxStreamsPerCaller'>) {
    this.#limits = limits;
  }

  /** Number of open streams. */
  get size(): number {
    return this.#count;
  }

  /** Counts a stream until it closes. Returns the refusal when there are too many. */
  admit({ caller, response }: Pick<HttpExchange, 'caller' | 'response'>): Refusal | undefined {
    const { maxStreams, maxStreamsPerCaller } = this.#limits;
    const size = this.#open.get(caller)?.size ?? 0;
    if (size >= maxStreamsPerCaller) {
      return { code: 'caller-streams-full', limit: maxStreamsPerCaller };
    }
    if (this.#count >= maxStreams && !this.#replace(size)) {
      return { code: 'streams-full', limit: maxStreams };
    }
    this.#add(caller, response);
    return undefined;
  }

  #add(caller: string, response: ServerResponse): void {
    const streams = this.#open.get(caller) ?? new Set();
    this.#open.set(caller, streams.add(response));
    this.#count += 1;
    markWaitingStream(response);
    response.once('close', () => this.#remove(caller, response));
  }

  #remove(caller: string, response: ServerResponse): void {
    const streams = this.#open.get(caller);
    if (streams?.delete(response) !== true) return;
    this.#count -= 1;
    if (streams.size === 0) this.#open.delete(caller);
  }

  /** Closes the oldest stream of the caller with the most, when it still has more than the new one afterwards or as many. */
  #replace(size: number): boolean {
    let [heaviest, most] = ['', 0];
    for (const [caller, streams] of this.#open) {
      if (streams.size > most) [heaviest, most] = [caller, streams.size];
    }
    const [oldest] = this.#open.get(heaviest) ?? [];
    if (oldest === undefined || most <= size + 1) return false;
    this.#remove(heaviest, oldest);
    oldest.destroy();
    return true;
  }
}
