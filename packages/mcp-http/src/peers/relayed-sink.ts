import type { EventSink } from '../wire/event-stream.ts';
import type { ResponseSink, SettledResponse } from '../protocol/response-sink.ts';

/** The dependencies of {@link RelayedSink}. */
export interface RelayedSinkDependencies {
  readonly tell: (
    kind: 'relay-taken' | 'relay-event' | 'relay-alive' | 'relay-end',
    message: object,
  ) => void;
  /** Milliseconds between heartbeats. */
  readonly aliveMs: number;
  /** Consecutive heartbeats that the other process may leave unanswered; after more of them it counts as dead. */
  readonly maxUnheard: number;
  readonly canStream: boolean;
  /** Called once when nothing follows. */
  readonly onOver: () => void;
}

/**
 * The channel to a client whose connection another process holds: to the answer of its request, or to a stream that it resumes.
 */
export class RelayedSink implements ResponseSink, EventSink {
  /** Always `false`: the process that holds the connection limits its reader. */
  readonly isBehind = false;
  readonly #parts: RelayedSinkDependencies;
  readonly #listeners = new Set<() => void>();
  #alive: NodeJS.Timeout | undefined;
  #unheard = 0;
  #isOver = false;

  constructor(parts: RelayedSinkDependencies) {
    this.#parts = parts;
  }

  get canStream(): boolean {
    return this.#parts.canStream && !this.#isOver;
  }

  /** Announces to the other process that messages follow. */
  take(): void {
    this.#tell('relay-taken', {});
    this.#alive = setInterval(() => this.#sign(), this.#parts.aliveMs);
    this.#alive.unref();
  }

  /** Records a heartbeat of the other process. */
  hear(): void {
    this.#unheard = 0;
  }

  /** Answers the other process that this process has no such request. */
  refuse(): void {
    this.#tell('relay-end', { isRefused: true });
    this.#finish();
  }

  /** Records that the client has disconnected. */
  leave(): void {
    if (this.#isOver) return;
    this.#finish();
    for (const listener of [...this.#listeners]) listener();
  }

  notify(message: string): void {
    this.#tell('relay-event', { message, mayDrop: true });
  }

  send(message: string): boolean {
    if (this.canStream) this.write(message);
    return this.canStream;
  }

  write(message: string, id?: string): void {
    this.#tell('relay-event', { message, id });
  }

  prime(id: string): void {
    this.#tell('relay-event', { id });
  }

  keepAlive(): void {
    this.#tell('relay-event', {});
  }

  end(): void {
    this.#tell('relay-end', {});
    this.#finish();
  }

  settle({ message, status }: SettledResponse): void {
    this.#tell('relay-end', { message, status });
    this.#finish();
  }

  whenGone(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sends a heartbeat, and treats a process that leaves too many unanswered as dead. */
  #sign(): void {
    if (this.#unheard >= this.#parts.maxUnheard) {
      this.leave();
      return;
    }
    this.#unheard += 1;
    this.#tell('relay-alive', {});
  }

  #tell(kind: Parameters<RelayedSinkDependencies['tell']>[0], message: object): void {
    if (!this.#isOver) this.#parts.tell(kind, message);
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#alive);
    this.#parts.onOver();
  }
}
