import type { EventSink } from '../wire/event-stream.ts';
import type { ResponseSink, SettledResponse } from '../protocol/response-sink.ts';

/** What a way to a client elsewhere is made of. */
export interface RelayedSinkDependencies {
  readonly tell: (
    kind: 'relay-taken' | 'relay-event' | 'relay-alive' | 'relay-end',
    message: object,
  ) => void;
  /** Milliseconds between signs of life. */
  readonly aliveMs: number;
  /** Signs of life in a row that the other process may leave without a word; after more of them it is gone. */
  readonly maxUnheard: number;
  readonly canStream: boolean;
  /** Called once when nothing follows. */
  readonly onOver: () => void;
}

/** The way to a client whose connection another process holds: to the answer of its request, or to a stream that it resumes. */
export class RelayedSink implements ResponseSink, EventSink {
  /** The process that holds the connection looks after its reader. */
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

  /** Tells the other process that messages follow. */
  take(): void {
    this.#tell('relay-taken', {});
    this.#alive = setInterval(() => this.#sign(), this.#parts.aliveMs);
    this.#alive.unref();
  }

  /** Notes that the other process is there. */
  hear(): void {
    this.#unheard = 0;
  }

  /** Tells the other process that there is nothing here. */
  refuse(): void {
    this.#tell('relay-end', { isRefused: true });
    this.#finish();
  }

  /** Notes that the client has gone. */
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

  /** Nobody else tells that a process with a client has died. */
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
