import { eventIdOf } from './event-id.ts';
import type { EventLog } from './event-log.ts';
import type { EventSink } from '../wire/event-stream.ts';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';

/** The dependencies of {@link ResumableStream}. */
export interface ResumableStreamDependencies {
  /** The process that owns the stream. */
  readonly owner: string;
  /** The stream in its session. */
  readonly name: string;
  /** The request that the stream answers; absent for a stream of the session. */
  readonly request?: JSONRPCRequest;
  readonly log: EventLog;
  /** Milliseconds for which a reader may stay away. */
  readonly windowMs: number;
  /** Called once when the reader of an unfinished stream stayed away for too long. */
  readonly onAbandoned: () => void;
  /** Called once, when the stream can no longer be resumed. */
  readonly onForgotten: () => void;
}

/**
 * A stream of events that outlives its reader's connection for a limited time: missed events are logged and sent when the reader
 * resumes.
 */
export class ResumableStream {
  readonly #dependencies: ResumableStreamDependencies;
  #reader: EventSink | undefined;
  #isDone = false;
  #isForgotten = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(dependencies: ResumableStreamDependencies) {
    this.#dependencies = dependencies;
  }

  get name(): string {
    return this.#dependencies.name;
  }

  /** The request that the stream answers; `undefined` for a stream of the session. */
  get request(): JSONRPCRequest | undefined {
    return this.#dependencies.request;
  }

  /** Returns whether the stream has ended. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Attaches the first reader and sends it an id to resume with. */
  open(reader: EventSink): void {
    this.#reader = reader;
    reader.prime(this.#id(this.#dependencies.log.mark()));
  }

  /** Attaches a reader that resumes: sends the events after the last one that it received, then continues. */
  resume(reader: EventSink, after: number): void {
    clearTimeout(this.#timer);
    const before = this.#reader;
    this.#reader = reader;
    before?.end();
    for (const [event, message] of this.#dependencies.log.after(this.name, after)) {
      reader.write(message, this.#id(event));
    }
    if (this.#isDone) this.#finish();
  }

  /** Records that a reader's connection is lost; only the current reader counts. */
  lose(reader: EventSink): void {
    if (this.#reader !== reader) return;
    this.#reader = undefined;
    this.#wait();
  }

  /** Sends a message that must not be lost. */
  write(message: string): void {
    if (this.#isForgotten) return;
    const event = this.#dependencies.log.append(this.name, message);
    this.#reader?.write(message, this.#id(event));
  }

  /** Sends a message that may be dropped when the reader lags behind. */
  notify(message: string): void {
    if (this.#reader?.isBehind !== true) this.write(message);
  }

  /** Ends the stream; a reader that has missed something may still come back for it. */
  end(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#finish();
  }

  /** Ends the stream; it cannot be resumed. */
  close(): void {
    if (this.#isForgotten) return;
    this.#isForgotten = true;
    this.#isDone = true;
    clearTimeout(this.#timer);
    this.#dependencies.log.forget(this.name);
    this.#reader?.end();
    this.#reader = undefined;
    this.#dependencies.onForgotten();
  }

  #finish(): void {
    this.#reader?.end();
    this.#reader = undefined;
    this.#wait();
  }

  #wait(): void {
    if (this.#isForgotten) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#cancel(), this.#dependencies.windowMs);
    this.#timer.unref();
  }

  #cancel(): void {
    const wasDone = this.#isDone;
    this.close();
    if (!wasDone) this.#dependencies.onAbandoned();
  }

  #id(event: number): string {
    const { owner, name: stream } = this.#dependencies;
    return eventIdOf({ owner, stream, event });
  }
}
