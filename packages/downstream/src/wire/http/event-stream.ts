import { ByteCollector } from './http-body.ts';

/** One event of a `text/event-stream`. */
export interface StreamEvent {
  readonly type: string;
  /** The lines of the data (UTF-8), joined by line feeds. */
  readonly data: Buffer;
}

/** Receives the parts of an event stream. */
export interface EventStreamObserver {
  /** Receives an event with data. */
  onEvent(event: StreamEvent): void;
  /** Receives the id for a reconnection, before the event that carries it. */
  onId(id: string): void;
  /** Receives the server's reconnection time in milliseconds. */
  onRetry(ms: number): void;
}

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const BOM = Buffer.from('\ufeff');
const LINE_FEED = Buffer.from('\n');
const DIGITS = /^\d{1,15}$/;

/** The event that is being parsed. */
class Draft {
  /** The first line of the data; it is not copied if there are no more. */
  first: Buffer | undefined;
  /** All lines, if there are several. An object for each line would have many times its size. */
  readonly lines = new ByteCollector();
  type = '';
  bytes = 0;

  addLine(line: Buffer): void {
    if (this.first === undefined) {
      this.first = line;
      return;
    }
    if (this.lines.isEmpty) this.lines.push(this.first);
    this.lines.push(LINE_FEED);
    this.lines.push(line);
  }

  clear(): void {
    this.first = undefined;
    this.lines.clear();
    this.type = '';
    this.bytes = 0;
  }
}

const fieldBytes = (line: Buffer, colon: number): Buffer => {
  if (colon === -1) return line.subarray(line.length);
  return line.subarray(line[colon + 1] === SPACE ? colon + 2 : colon + 1);
};

const takeField = (line: Buffer, draft: Draft, observer: EventStreamObserver): void => {
  const colon = line.indexOf(COLON);
  const value = (): string => fieldBytes(line, colon).toString('utf8');
  switch (line.toString('latin1', 0, colon === -1 ? Math.min(line.length, 8) : colon)) {
    case 'data':
      draft.addLine(fieldBytes(line, colon));
      break;
    case 'event':
      draft.type = value();
      break;
    case 'id': {
      const id = value();
      if (!id.includes('\0')) observer.onId(id);
      break;
    }
    case 'retry':
      if (DIGITS.test(value())) observer.onRetry(Number(value()));
      break;
  }
};

/** Finds the line ends of a chunk. Reads each byte once per kind of line end. */
class LineEnds {
  readonly #chunk: Buffer;
  #lf: number;
  #cr: number;

  constructor(chunk: Buffer) {
    this.#chunk = chunk;
    this.#lf = chunk.indexOf(LF);
    this.#cr = chunk.indexOf(CR);
  }

  /** Returns the first line end at or after `from`; -1 without one. */
  after(from: number): number {
    if (this.#lf !== -1 && this.#lf < from) this.#lf = this.#chunk.indexOf(LF, from);
    if (this.#cr !== -1 && this.#cr < from) this.#cr = this.#chunk.indexOf(CR, from);
    if (this.#lf === -1 || this.#cr === -1) return Math.max(this.#lf, this.#cr);
    return Math.min(this.#lf, this.#cr);
  }
}

/**
 * A parser of one event stream. It works on bytes, so that an event is decoded once and a chunk may end anywhere. Its memory is bounded.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class EventStream {
  readonly #maxBytes: number;
  readonly #observer: EventStreamObserver;
  readonly #draft = new Draft();
  /** The beginning of a line whose end has not arrived. */
  readonly #held = new ByteCollector();
  #atStart = true;
  #skipLf = false;
  #broken = false;

  /** @param maxBytes maximum size of one event */
  constructor(maxBytes: number, observer: EventStreamObserver) {
    this.#maxBytes = maxBytes;
    this.#observer = observer;
  }

  /** Parses the next bytes. Returns `false` when an event exceeds the bound; further bytes are ignored. */
  push(chunk: Buffer): boolean {
    if (this.#broken) return false;
    const from = this.#cut(chunk);
    const rest = chunk.length - from;
    this.#draft.bytes += rest;
    this.#broken = from === -1 || this.#draft.bytes > this.#maxBytes;
    if (this.#broken) {
      this.#held.clear();
      this.#draft.clear();
    } else if (rest > 0) this.#held.push(chunk.subarray(from));
    return !this.#broken;
  }

  /** Processes the complete lines. Returns the start of the incomplete line, -1 when the bound is exceeded. */
  #cut(chunk: Buffer): number {
    let from = this.#skipLf && chunk[0] === LF ? 1 : 0;
    this.#skipLf &&= chunk.length === 0;
    const ends = new LineEnds(chunk);
    for (;;) {
      const end = ends.after(from);
      if (end === -1) return from;
      this.#draft.bytes += end - from + 1;
      if (this.#draft.bytes > this.#maxBytes) return -1;
      this.#take(chunk.subarray(from, end));
      from = end + 1;
      if (chunk[end] !== CR) continue;
      if (from === chunk.length) this.#skipLf = true;
      else if (chunk[from] === LF) from += 1;
    }
  }

  #take(part: Buffer): void {
    const line = this.#lineOf(part);
    if (line.length > 0) {
      takeField(line, this.#draft, this.#observer);
      return;
    }
    const { first, lines, type } = this.#draft;
    const data = lines.isEmpty ? first : lines.take();
    this.#draft.clear();
    if (data !== undefined) this.#observer.onEvent({ type, data });
  }

  #lineOf(part: Buffer): Buffer {
    const line = this.#held.isEmpty ? part : this.#held.take(part);
    if (!this.#atStart) return line;
    this.#atStart = false;
    return line.subarray(0, BOM.length).equals(BOM) ? line.subarray(BOM.length) : line;
  }
}
