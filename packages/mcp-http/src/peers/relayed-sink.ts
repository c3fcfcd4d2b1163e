import { joinText } from '@gateway/mcp-wire';
import type { EventSink } from '../wire/event-stream.ts';
import type { ResponseSink, SettledResponse } from '../protocol/response-sink.ts';

/** The dependencies of {@link RelayedSink}. */
export interface RelayedSinkDependencies {
  readonly send: (
    kind: 'relay-taken' | 'relay-event' | 'relay-alive' | 'relay-end',
    message: object,
  ) => void;
  /** Milliseconds between heartbeats. */
  readonly heartbeatMs: number;
  /** Consecutive heartbeats that the other process may leave unanswered; after more of them it counts as dead. */
  readonly maxMissedHeartbeats: number;
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
  readonly #dependencies: RelayedSinkDependencies;
  readonly #listeners = new Set<() => void>();
  #alive: NodeJS.Timeout | undefined;
  #missedHeartbeats = 0;
  #isOver = false;

  constructor(dependencies: RelayedSinkDependencies) {
    this.#dependencies = dependencies;
  }

  get canStream(): boolean {
    return this.#dependencies.canStream && !this.#isOver;
  }

  /** Announces to the other process that messages follow. */
  announce(): void {
    this.#send('relay-taken', {});
    this.#alive = setInterval(() => this.#sendHeartbeat(), this.#dependencies.heartbeatMs);
    this.#alive.unref();
  }

  /** Records a heartbeat of the other process. */
  recordHeartbeat(): void {
    this.#missedHeartbeats = 0;
  }

  /** Answers the other process that this process has no such request. */
  refuse(): void {
    this.#send('relay-end', { isRefused: true });
    this.#finish();
  }

  /** Records that the client has disconnected. */
  disconnect(): void {
    if (this.#isOver) return;
    this.#finish();
    for (const listener of [...this.#listeners]) listener();
  }

  notify(message: string): void {
    this.#send('relay-event', { message, mayDrop: true });
  }

  send(message: string): boolean {
    if (this.canStream) this.write(message);
    return this.canStream;
  }

  write(message: string, id?: string): void {
    this.#send('relay-event', { message, id });
  }

  prime(id: string): void {
    this.#send('relay-event', { id });
  }

  keepAlive(): void {
    this.#send('relay-event', {});
  }

  end(): void {
    this.#send('relay-end', {});
    this.#finish();
  }

  settle({ message, status }: SettledResponse): void {
    this.#send('relay-end', { message: message && joinText(message), status });
    this.#finish();
  }

  onDisconnect(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sends a heartbeat, and treats a process that leaves too many unanswered as dead. */
  #sendHeartbeat(): void {
    if (this.#missedHeartbeats >= this.#dependencies.maxMissedHeartbeats) {
      this.disconnect();
      return;
    }
    this.#missedHeartbeats += 1;
    this.#send('relay-alive', {});
  }

  #send(kind: Parameters<RelayedSinkDependencies['send']>[0], message: object): void {
    if (!this.#isOver) this.#dependencies.send(kind, message);
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#alive);
    this.#dependencies.onOver();
  }
}
