import type { EventSink } from '../wire/event-stream.ts';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { Notification, NotificationChannel } from '@gateway/call-contract';
import type { McpHttpLimits } from '../protocol/limits.ts';

/** Where an event was sent: the process that logged it, its stream in the session, and its number there. */
export interface EventPlace {
  readonly owner: string;
  /** `get…` for a stream of the session, `post…` for the answer to a request. */
  readonly stream: string;
  readonly event: number;
}

const EVENT_ID = /^([\w~%-]{1,100})\.((?:get|post)\d{1,12})\.(\d{1,12})$/;

/** Writes an event's id: visible ASCII, since a client sends it back in a header. */
export const formatEventPlace = ({ owner, stream, event }: EventPlace): string =>
  `${owner}.${stream}.${event}`;

/** Parses the id of an event; returns `undefined` for an id that no process of this kind has written. */
export const parseEventId = (id: string): EventPlace | undefined => {
  const [, owner, stream, event] = EVENT_ID.exec(id) ?? [];
  if (owner === undefined || stream === undefined || event === undefined) return undefined;
  return { owner, stream, event: Number(event) };
};

/** Bytes of logged events, over all sessions of an endpoint. */
interface LogBudget {
  bytes: number;
}

interface LoggedEvent {
  readonly stream: string;
  readonly message: string;
}

/**
 * The latest events of one session, so that a reader that lost its connection can resume. The oldest events are dropped first.
 */
export class EventLog {
  readonly #limits: McpHttpLimits;
  readonly #budget: LogBudget;
  /** By the number of the event in this session, oldest first. */
  readonly #events = new Map<number, LoggedEvent>();
  #bytes = 0;
  #last = 0;

  constructor(limits: McpHttpLimits, budget: LogBudget) {
    this.#limits = limits;
    this.#budget = budget;
  }

  /** Number of stored events. */
  get size(): number {
    return this.#events.size;
  }

  /** Returns the number of an event without content, which is not stored. */
  mark(): number {
    return ++this.#last;
  }

  /** Stores a message of a stream and returns its number. */
  append(stream: string, message: string): number {
    const at = ++this.#last;
    this.#events.set(at, { stream, message });
    this.#count(message.length);
    this.#makeRoom();
    return at;
  }

  /** Returns the stored messages of a stream that follow an event, with their numbers. */
  *after(stream: string, event: number): Iterable<readonly [number, string]> {
    for (const [at, logged] of this.#events) {
      if (at > event && logged.stream === stream) yield [at, logged.message];
    }
  }

  forget(stream: string): void {
    for (const [at, logged] of this.#events) if (logged.stream === stream) this.#drop(at, logged);
  }

  /** Drops everything. */
  clear(): void {
    for (const [at, logged] of this.#events) this.#drop(at, logged);
  }

  #makeRoom(): void {
    const { maxLoggedEvents, maxLoggedBytes, maxLoggedBytesTotal } = this.#limits;
    for (const [at, logged] of this.#events) {
      const fits =
        this.#events.size <= maxLoggedEvents &&
        this.#bytes <= maxLoggedBytes &&
        this.#budget.bytes <= maxLoggedBytesTotal;
      if (fits) return;
      this.#drop(at, logged);
    }
  }

  #drop(at: number, { message }: LoggedEvent): void {
    this.#events.delete(at);
    this.#count(-message.length);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#budget.bytes += bytes;
  }
}

export interface StreamStart {
  /** The request that the stream answers; absent for a stream of the session. */
  readonly request?: JSONRPCRequest;
  /** Called when the reader of an unfinished stream does not resume in time. */
  readonly onAbandoned: () => void;
}

/**
 * A stream of events that outlives its reader's connection for a limited time: missed events are logged and sent when the reader
 * resumes.
 */
export class ResumableStream {
  readonly name: string;
  /** The request that the stream answers; `undefined` for a stream of the session. */
  readonly request: JSONRPCRequest | undefined;
  readonly #streams: SessionStreams;
  readonly #onAbandoned: () => void;
  #reader: EventSink | undefined;
  #isDone = false;
  #isForgotten = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(streams: SessionStreams, name: string, { request, onAbandoned }: StreamStart) {
    this.#streams = streams;
    this.name = name;
    this.request = request;
    this.#onAbandoned = onAbandoned;
  }

  /** Returns whether the stream has ended. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Attaches the first reader and sends it an id to resume with. */
  open(reader: EventSink): void {
    this.#reader = reader;
    reader.prime(this.#formatId(this.#streams.log.mark()));
  }

  /** Attaches a reader that resumes: sends the events after the last one that it received, then continues. */
  resume(reader: EventSink, after: number): void {
    clearTimeout(this.#timer);
    const before = this.#reader;
    this.#reader = reader;
    before?.end();
    for (const [event, message] of this.#streams.log.after(this.name, after)) {
      reader.write(message, this.#formatId(event));
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
    const event = this.#streams.log.append(this.name, message);
    this.#reader?.write(message, this.#formatId(event));
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
    this.#streams.log.forget(this.name);
    this.#reader?.end();
    this.#reader = undefined;
    this.#streams.remove(this.name);
  }

  #finish(): void {
    this.#reader?.end();
    this.#reader = undefined;
    this.#wait();
  }

  #wait(): void {
    if (this.#isForgotten) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#cancel(), this.#streams.limits.resumeWindowMs);
    this.#timer.unref();
  }

  #cancel(): void {
    const wasDone = this.#isDone;
    this.close();
    if (!wasDone) this.#onAbandoned();
  }

  #formatId(event: number): string {
    return formatEventPlace({ owner: this.#streams.owner, stream: this.name, event });
  }
}

/** The resumable streams of one session, bounded in number; finished ones are removed first. */
export class SessionStreams {
  /** The process that owns the streams. */
  readonly owner: string;
  readonly limits: McpHttpLimits;
  readonly log: EventLog;
  readonly #streams = new Map<string, ResumableStream>();
  #last = 0;

  constructor(owner: string, limits: McpHttpLimits, budget: LogBudget) {
    this.owner = owner;
    this.limits = limits;
    this.log = new EventLog(limits, budget);
  }

  /** Starts a stream. Returns `undefined` when there are too many unfinished ones. */
  start(start: StreamStart): ResumableStream | undefined {
    const { maxResumableStreams } = this.limits;
    if (this.#streams.size >= maxResumableStreams) this.#findOldestDone()?.close();
    if (this.#streams.size >= maxResumableStreams) return undefined;
    this.#last += 1;
    const name = `${start.request === undefined ? 'get' : 'post'}${this.#last}`;
    const stream = new ResumableStream(this, name, start);
    this.#streams.set(name, stream);
    return stream;
  }

  /** Forgets a stream that can no longer be resumed. */
  remove(name: string): void {
    this.#streams.delete(name);
  }

  /** Finds a stream to come back to. */
  find(name: string): ResumableStream | undefined {
    return this.#streams.get(name);
  }

  /** Ends all streams; they cannot be resumed. */
  close(): void {
    for (const stream of [...this.#streams.values()]) stream.close();
    this.log.clear();
  }

  #findOldestDone(): ResumableStream | undefined {
    for (const stream of this.#streams.values()) if (stream.isDone) return stream;
    return undefined;
  }
}

class Channel implements NotificationChannel {
  readonly #send: (notification: Notification) => void;
  #listeners: (() => void)[] | undefined = [];

  constructor(send: (notification: Notification) => void) {
    this.#send = send;
  }

  notify(notification: Notification): void {
    if (this.#listeners !== undefined) this.#send(notification);
  }

  onEnd(listener: () => void): void {
    if (this.#listeners === undefined) listener();
    else this.#listeners.push(listener);
  }

  end(): void {
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  }
}

/** The notification channels of one session, at most one per name. */
export class NotificationChannels {
  readonly #channels = new Map<string, NotificationChannel>();

  /** Number of open channels. */
  get size(): number {
    return this.#channels.size;
  }

  /** Opens a channel and closes an earlier one of its name. */
  open(name: string, send: (notification: Notification) => void): NotificationChannel {
    this.end(name);
    const channel = new Channel(send);
    this.#channels.set(name, channel);
    channel.onEnd(() => {
      if (this.#channels.get(name) === channel) this.#channels.delete(name);
    });
    return channel;
  }

  /** Closes the channel of a name, if there is one. */
  end(name: string): void {
    this.#channels.get(name)?.end();
  }

  close(): void {
    for (const channel of [...this.#channels.values()]) channel.end();
  }
}
