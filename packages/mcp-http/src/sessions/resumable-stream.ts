import { eventIdOf } from './event-id.ts';
import type { EventLog } from './event-log.ts';
import type { EventSink } from '../wire/event-stream.ts';

/** What a resumable stream is made of. */
export interface ResumableStreamParts {
  /** The process that keeps the stream. */
  readonly owner: string;
  /** The stream in its session. */
  readonly name: string;
  readonly log: EventLog;
  /** Milliseconds for which a reader may stay away. */
  readonly windowMs: number;
  /** Called once when the reader of an unfinished stream stayed away for too long. */
  readonly onAbandoned: () => void;
  /** Called once when nobody can come back to the stream any more. */
  readonly onForgotten: () => void;
}

/** A stream of events that outlives its reader's connection for a while: what is missed is logged and sent when the reader comes back. */
export class ResumableStream {
  readonly #parts: ResumableStreamParts;
  #reader: EventSink | undefined;
  #isDone = false;
  #isForgotten = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: ResumableStreamParts) {
    this.#parts = parts;
  }

  get name(): string {
    return this.#parts.name;
  }

  /** Whether everything has been said. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Takes its first reader and gives it an id to come back with. */
  open(reader: EventSink): void {
    this.#reader = reader;
    reader.prime(this.#id(this.#parts.log.mark()));
  }

  /** Takes a reader that comes back: sends what follows the event that it has seen last, then goes on. */
  resume(reader: EventSink, after: number): void {
    clearTimeout(this.#timer);
    const before = this.#reader;
    this.#reader = reader;
    before?.end();
    for (const [event, message] of this.#parts.log.after(this.name, after)) {
      reader.write(message, this.#id(event));
    }
    if (this.#isDone) this.#finish();
  }

  /** Notes that a reader's connection is gone; only the present reader counts. */
  lose(reader: EventSink): void {
    if (this.#reader !== reader) return;
    this.#reader = undefined;
    this.#wait();
  }

  /** Sends a message that must not be lost. */
  write(message: string): void {
    if (this.#isForgotten) return;
    const event = this.#parts.log.append(this.name, message);
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

  /** Ends the stream for good. */
  close(): void {
    if (this.#isForgotten) return;
    this.#isForgotten = true;
    this.#isDone = true;
    clearTimeout(this.#timer);
    this.#parts.log.forget(this.name);
    this.#reader?.end();
    this.#reader = undefined;
    this.#parts.onForgotten();
  }

  #finish(): void {
    this.#reader?.end();
    this.#reader = undefined;
    this.#wait();
  }

  #wait(): void {
    if (this.#isForgotten) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp(), this.#parts.windowMs);
    this.#timer.unref();
  }

  #giveUp(): void {
    const wasDone = this.#isDone;
    this.close();
    if (!wasDone) this.#parts.onAbandoned();
  }

  #id(event: number): string {
    const { owner, name: stream } = this.#parts;
    return eventIdOf({ owner, stream, event });
  }
}
