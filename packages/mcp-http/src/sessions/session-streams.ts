import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { EventLog, type EventLogLimits, type LogBudget } from './event-log.ts';
import { ResumableStream } from './resumable-stream.ts';

/** The dependencies of {@link SessionStreams}. */
export interface SessionStreamsDependencies {
  readonly owner: string;
  readonly budget: LogBudget;
  readonly limits: EventLogLimits & {
    readonly resumeWindowMs: number;
    readonly maxResumableStreams: number;
  };
}

/** A stream to start. */
export interface StreamStart {
  /** The request that the stream answers; absent for a stream of the session. */
  readonly request?: JSONRPCRequest;
  /** Called when the reader of an unfinished stream does not resume in time. */
  readonly onAbandoned: () => void;
}

/** The resumable streams of one session, bounded in number; finished ones are removed first. */
export class SessionStreams {
  readonly #dependencies: SessionStreamsDependencies;
  readonly #log: EventLog;
  readonly #streams = new Map<string, ResumableStream>();
  #last = 0;

  constructor(dependencies: SessionStreamsDependencies) {
    this.#dependencies = dependencies;
    this.#log = new EventLog(dependencies.limits, dependencies.budget);
  }

  /** Number of streams that a reader may come back to or reads. */
  get size(): number {
    return this.#streams.size;
  }

  /** Starts a stream. Returns `undefined` when there are too many unfinished ones. */
  start({ request, onAbandoned }: StreamStart): ResumableStream | undefined {
    if (this.#streams.size >= this.#dependencies.limits.maxResumableStreams)
      this.#oldestDone()?.close();
    if (this.#streams.size >= this.#dependencies.limits.maxResumableStreams) return undefined;
    this.#last += 1;
    const name = `${request === undefined ? 'get' : 'post'}${this.#last}`;
    const stream = new ResumableStream({
      owner: this.#dependencies.owner,
      name,
      ...(request !== undefined && { request }),
      log: this.#log,
      windowMs: this.#dependencies.limits.resumeWindowMs,
      onAbandoned,
      onForgotten: () => this.#streams.delete(name),
    });
    this.#streams.set(name, stream);
    return stream;
  }

  /** Finds a stream to come back to. */
  find(name: string): ResumableStream | undefined {
    return this.#streams.get(name);
  }

  /** Ends all streams; they cannot be resumed. */
  close(): void {
    for (const stream of [...this.#streams.values()]) stream.close();
    this.#log.clear();
  }

  #oldestDone(): ResumableStream | undefined {
    for (const stream of this.#streams.values()) if (stream.isDone) return stream;
    return undefined;
  }
}
