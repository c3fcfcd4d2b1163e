import type { JsonObject } from '../protocol/json-object.ts';

/** What a client is told. */
export interface LineNotification {
  readonly method: string;
  readonly params: JsonObject;
}

/** A way to tell a client something after the call that opened it. It may be kept and holds nothing of the call. */
export interface SessionLine {
  /** Tells the client on a stream of its session, wherever that is; dropped without a stream, or when the reader lags behind. */
  notify(notification: LineNotification): void;
  /** Is called once when the line ends: with its session, by `end`, or because another one of its name was opened. */
  onEnd(listener: () => void): void;
  end(): void;
}

/** A line, or why there is none: the client has no session, or no stream that it would hear on. */
export type OpenedLine =
  | { readonly ok: true; readonly line: SessionLine }
  | { readonly ok: false; readonly code: 'no-session' | 'no-stream' };

/** What a client without sessions is answered. */
export const NO_SESSION_LINE: OpenedLine = { ok: false, code: 'no-session' };

class Line implements SessionLine {
  readonly #send: (notification: LineNotification) => void;
  #listeners: (() => void)[] | undefined = [];

  constructor(send: (notification: LineNotification) => void) {
    this.#send = send;
  }

  notify(notification: LineNotification): void {
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

/** The lines of one session: one of each name. */
export class SessionLines {
  readonly #lines = new Map<string, SessionLine>();

  /** Number of lines. */
  get size(): number {
    return this.#lines.size;
  }

  /** Opens a line; an earlier one of its name ends. */
  open(name: string, send: (notification: LineNotification) => void): SessionLine {
    this.end(name);
    const line = new Line(send);
    this.#lines.set(name, line);
    line.onEnd(() => {
      if (this.#lines.get(name) === line) this.#lines.delete(name);
    });
    return line;
  }

  /** Ends the line of a name, if there is one. */
  end(name: string): void {
    this.#lines.get(name)?.end();
  }

  /** Ends all lines. */
  close(): void {
    for (const line of [...this.#lines.values()]) line.end();
  }
}
