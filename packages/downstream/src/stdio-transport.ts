import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Readable } from 'node:stream';
import { createLineSplitter } from './line-splitter.ts';
import { startProcessGroup } from './process-group.ts';
import type { ProcessGroup, ProcessSpec } from './process-group.ts';
import type { Watchdog } from './watchdog.ts';

/** Lines that are no JSON, in a row, after which a child is no MCP server. */
const MAX_STRAY_LINES = 1_000;

/** What a stdio transport needs besides the process to run. */
export interface StdioTransportOptions {
  readonly process: ProcessSpec;
  readonly watchdog: Watchdog;
  /** Bound of one incoming message in bytes. */
  readonly maxMessageBytes: number;
  /** Called once the child runs. */
  readonly onStderr: (stderr: Readable) => void;
  /** A line on stdout that is no message. */
  readonly onStrayLine: (count: number) => void;
}

const parseMessage = (line: string): JSONRPCMessage | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    // The receivers look at each field before they use it; a schema here would copy and cost every answer.
    return value as JSONRPCMessage;
  } catch {
    return undefined;
  }
};

const carriesArguments = (message: JSONRPCMessage): boolean =>
  'params' in message && message.params !== undefined && 'arguments' in message.params;

/**
 * MCP over the standard streams of a child in its own process group: one JSON message per line, bounded in length.
 * The SDK's own transport does not start a group, so it leaves grandchildren behind.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  /** The SDK tells stdio transports by the presence of `stderr` and `pid`. */
  readonly stderr = null;
  /** Why the connection ended, unless it was closed from this side. */
  endReason: string | undefined;
  /** Whether the child was ever sent arguments of a caller, which it may print. */
  hasSeenArguments = false;
  readonly #options: StdioTransportOptions;
  #group: ProcessGroup | undefined;
  #closed = false;
  #strayLines = 0;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  get pid(): number | null {
    return this.#group?.pid ?? null;
  }

  async start(): Promise<void> {
    const group = await startProcessGroup(this.#options.process, this.#options.watchdog);
    this.#group = group;
    this.#options.onStderr(group.stderr);
    const splitter = createLineSplitter(this.#options.maxMessageBytes, (line) => this.#take(line));
    group.stdout.on('data', (chunk: Buffer) => {
      if (this.#closed || splitter.push(chunk).ok) return;
      this.#fail(`a message is larger than ${this.#options.maxMessageBytes} bytes`);
    });
    void group.ended.then((how) => {
      if (!this.#closed) this.endReason ??= how;
      this.#finish();
    });
    if (this.#closed) await group.close();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.hasSeenArguments ||= carriesArguments(message);
    const stdin = this.#group?.stdin;
    if (this.#closed || stdin?.writable !== true)
      return Promise.reject(new Error(this.endReason ?? 'the process does not run'));
    if (stdin.writableLength > this.#options.maxMessageBytes)
      return Promise.reject(new Error('the process does not read its input'));
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error === null || error === undefined) resolve();
        else reject(error);
      });
    });
  }

  async close(): Promise<void> {
    const closing = this.#group?.close();
    this.#finish();
    await closing;
  }

  #take(line: string): void {
    if (this.#closed || line === '') return;
    const message = parseMessage(line);
    if (message !== undefined) {
      this.#strayLines = 0;
      this.onmessage?.(message);
      return;
    }
    this.#strayLines += 1;
    this.#options.onStrayLine(this.#strayLines);
    if (this.#strayLines >= MAX_STRAY_LINES) this.#fail('its output is not MCP');
  }

  #fail(reason: string): void {
    this.endReason ??= reason;
    this.onerror?.(new Error(reason));
    void this.close();
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }
}
