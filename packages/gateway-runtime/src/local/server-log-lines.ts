import { LRUCache } from 'lru-cache';
import { MAX_LOG_LINES, type ServerLogLine } from '@gateway/core-tools';

/** The memory for the lines of one server, in characters. */
const MAX_CHARS = 256 * 1024;

/** Servers whose lines are kept; the definitions of a gateway are fewer. */
const MAX_SERVERS = 1_000;

interface Ring {
  readonly lines: ServerLogLine[];
  chars: number;
  lastId: number;
}

/** The last lines that stdio servers wrote to stderr, in the memory of this process. */
export class ServerLogLines {
  readonly #rings = new LRUCache<string, Ring>({ max: MAX_SERVERS });
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Adds a line, and drops the oldest ones beyond the limits. */
  readonly add = (server: string, line: string): void => {
    const ring = this.#rings.get(server) ?? { lines: [], chars: 0, lastId: 0 };
    this.#rings.set(server, ring);
    ring.lastId += 1;
    ring.lines.push({ id: ring.lastId, at: this.#now(), line });
    ring.chars += line.length;
    while (ring.lines.length > MAX_LOG_LINES || (ring.chars > MAX_CHARS && ring.lines.length > 1))
      ring.chars -= ring.lines.shift()?.line.length ?? 0;
  };

  /** Returns the last lines of a server, oldest first. */
  readonly read = (server: string, limit: number): readonly ServerLogLine[] =>
    this.#rings.get(server)?.lines.slice(-limit) ?? [];
}
