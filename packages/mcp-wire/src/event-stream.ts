import { toOneLine } from './raw-json.ts';

/** Size of a block for small chunks. */
const BLOCK_BYTES = 4 * 1024;

const NO_BYTES = Buffer.alloc(0);

/** Collects copies of chunks. Small ones share blocks, because an object for a chunk of one byte has a hundred times its size. */
export class ByteCollector {
  #parts: Buffer[] = [];
  #block: Buffer = NO_BYTES;
  #used = 0;

  /** Returns whether nothing was collected. */
  get isEmpty(): boolean {
    return this.#used === 0;
  }

  push(chunk: Buffer): void {
    if (chunk.length > this.#block.length - this.#used) {
      if (this.#used > 0) this.#parts.push(this.#block.subarray(0, this.#used));
      this.#block = Buffer.allocUnsafe(Math.max(BLOCK_BYTES, chunk.length));
      this.#used = 0;
    }
    this.#used += chunk.copy(this.#block, this.#used);
  }

  /** Returns all bytes, followed by those of `last`, and begins again. */
  take(last: Buffer = NO_BYTES): Buffer {
    const whole = Buffer.concat([...this.#parts, this.#block.subarray(0, this.#used), last]);
    this.clear();
    return whole;
  }

  clear(): void {
    this.#parts = [];
    this.#block = NO_BYTES;
    this.#used = 0;
  }
}

export interface StreamEvent {
  readonly type: string;
  /** The lines of the data (UTF-8), joined by line feeds. */
  readonly data: Buffer;
}

export interface EventStreamObserver {
  onEvent(event: StreamEvent): void;
  /** Receives the id for a reconnection, before the event that carries it. */
  onId(id: string): void;
  onRetry(ms: number): void;
}

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const BOM = Buffer.from('\ufeff');
const LINE_FEED = Buffer.from('\n');
const DIGITS = /^\d{1,15}$/;

const readFieldValue = (line: Buffer, colon: number): Buffer => {
  if (colon === -1) return line.subarray(line.length);
  return line.subarray(line[colon + 1] === SPACE ? colon + 2 : colon + 1);
};

const findLineEnd = (chunk: Buffer, from: number, hasCr: boolean): number => {
  if (!hasCr) return chunk.indexOf(LF, from);
  for (let at = from; at < chunk.length; at += 1)
    if (chunk[at] === LF || chunk[at] === CR) return at;
  return -1;
};

/** Parses an event stream in bytes, with bounded memory. https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
export class EventStreamReader {
  readonly #maxBytes: number;
  readonly #observer: EventStreamObserver;
  /** The beginning of a line whose end has not arrived. */
  readonly #held = new ByteCollector();
  /** The first line of the data; it is not copied if there are no more. */
  #first: Buffer | undefined;
  /** All lines of the data, if there are several. */
  readonly #lines = new ByteCollector();
  #type = '';
  #bytes = 0;
  #atStart = true;
  #skipLf = false;
  #broken = false;

  constructor(maxBytes: number, observer: EventStreamObserver) {
    this.#maxBytes = maxBytes;
    this.#observer = observer;
  }

  /** Parses the next bytes. Returns `false` when an event exceeds the bound; further bytes are ignored. */
  push(chunk: Buffer): boolean {
    if (this.#broken) return false;
    const from = this.#cut(chunk);
    const rest = chunk.length - from;
    this.#bytes += rest;
    this.#broken = from === -1 || this.#bytes > this.#maxBytes;
    if (this.#broken) {
      this.#held.clear();
      this.#endEvent();
    } else if (rest > 0) this.#held.push(chunk.subarray(from));
    return !this.#broken;
  }

  /** Processes the complete lines. Returns the start of the incomplete line, -1 when the bound is exceeded. */
  #cut(chunk: Buffer): number {
    let from = this.#skipLf && chunk[0] === LF ? 1 : 0;
    this.#skipLf &&= chunk.length === 0;
    const hasCr = chunk.includes(CR);
    for (;;) {
      const end = findLineEnd(chunk, from, hasCr);
      if (end === -1) return from;
      this.#bytes += end - from + 1;
      if (this.#bytes > this.#maxBytes) return -1;
      this.#takeLine(chunk.subarray(from, end));
      from = end + 1;
      if (chunk[end] !== CR) continue;
      if (from === chunk.length) this.#skipLf = true;
      else if (chunk[from] === LF) from += 1;
    }
  }

  #takeLine(part: Buffer): void {
    let line = this.#held.isEmpty ? part : this.#held.take(part);
    if (this.#atStart && line.subarray(0, BOM.length).equals(BOM)) line = line.subarray(BOM.length);
    this.#atStart = false;
    if (line.length > 0) {
      this.#takeField(line);
      return;
    }
    const data = this.#lines.isEmpty ? this.#first : this.#lines.take();
    const type = this.#type;
    this.#endEvent();
    if (data !== undefined) this.#observer.onEvent({ type, data });
  }

  #takeField(line: Buffer): void {
    const colon = line.indexOf(COLON);
    const value = readFieldValue(line, colon);
    switch (line.toString('latin1', 0, colon === -1 ? Math.min(line.length, 8) : colon)) {
      case 'data':
        this.#addData(value);
        break;
      case 'event':
        this.#type = value.toString('utf8');
        break;
      case 'id': {
        const id = value.toString('utf8');
        if (!id.includes('\0')) this.#observer.onId(id);
        break;
      }
      case 'retry': {
        const ms = value.toString('utf8');
        if (DIGITS.test(ms)) this.#observer.onRetry(Number(ms));
        break;
      }
    }
  }

  #addData(line: Buffer): void {
    if (this.#first === undefined) {
      this.#first = line;
      return;
    }
    if (this.#lines.isEmpty) this.#lines.push(this.#first);
    this.#lines.push(LINE_FEED);
    this.#lines.push(line);
  }

  #endEvent(): void {
    this.#first = undefined;
    this.#lines.clear();
    this.#type = '';
    this.#bytes = 0;
  }
}

export const EVENT_STREAM_TYPE = 'text/event-stream';

/** Value of `Accept` with which clients send messages. MCP 2025-11-25, Streamable HTTP */
export const MESSAGE_TYPES = `application/json, ${EVENT_STREAM_TYPE}`;

/** Returns whether a content type is an event stream, with any parameters. */
export const isEventStream = (contentType: string | undefined): boolean =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase() === EVENT_STREAM_TYPE;

/** Returns a JSON-RPC message as an event, with the id under which its reader may resume. */
export const formatEvent = (message: string, id?: string): string => {
  const line = id === undefined ? '' : `id: ${id}\n`;
  return `${line}event: message\ndata: ${toOneLine(message)}\n\n`;
};

/** Returns an event without data, which gives the reader an id to resume with. MCP 2025-11-25, Streamable HTTP */
export const formatEventId = (id: string, retryMs: number): string =>
  `id: ${id}\nretry: ${retryMs}\ndata:\n\n`;

/** Returns the event that names the address of the client's messages. MCP 2024-11-05, HTTP with SSE */
export const formatEndpointEvent = (address: string): string =>
  `event: endpoint\ndata: ${address}\n\n`;

/** Returns the advice to reconnect after `retryMs` milliseconds. */
export const formatRetry = (retryMs: number): string => `retry: ${retryMs}\n\n`;

/** A comment, which keeps the connection of a stream open. */
export const KEEP_ALIVE_COMMENT = ': keep-alive\n\n';
