import type { ServerResponse } from 'node:http';

/** An event of a watch, as the API server sent it. */
export interface WatchLine {
  readonly type: string;
  readonly object: {
    readonly metadata?: { readonly name?: string; readonly resourceVersion?: string };
    /** Of an `ERROR`. */
    readonly code?: number;
  };
}

/** Receives each event of a watch in place of the client. `send` passes an event on, any number of times and in any order. */
export type WatchFilter = (line: WatchLine, send: (line: WatchLine) => void) => void;

const NEWLINE = '\n';

/** The watches that are open through a proxy, and their events. */
export class ProxiedWatches {
  /** All events of the API server in their order, also those that were not passed on. */
  readonly lines: WatchLine[] = [];
  /** Passes the events on; unchanged when undefined. */
  filter: WatchFilter | undefined;
  readonly #open = new Set<ServerResponse>();

  get count(): number {
    return this.#open.size;
  }

  /** Returns a function that takes the parts of the response of the API server. */
  begin(response: ServerResponse): (text: string) => void {
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
    const send = (line: WatchLine): void => {
      response.write(JSON.stringify(line) + NEWLINE);
    };
    let pending = '';
    return (text) => {
      const lines = (pending + text).split(NEWLINE);
      pending = lines.pop() ?? '';
      for (const one of lines) this.#take(JSON.parse(one) as WatchLine, send);
    };
  }

  /** Ends every watch regularly, as a server does after a timeout. */
  end(): void {
    for (const response of this.#open) response.end();
  }

  /** Destroys the connections of every watch. */
  cut(): void {
    for (const response of this.#open) response.destroy();
  }

  #take(line: WatchLine, send: (line: WatchLine) => void): void {
    this.lines.push(line);
    if (this.filter === undefined) send(line);
    else this.filter(line, send);
  }
}
