import { escapeInvisible, isJsonObject, type JsonObject } from '@gateway/call-contract';
import { createLineSplitter, formatObject, toOneLine } from '@gateway/mcp-wire';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Readable } from 'node:stream';
import { MessageReader } from '../message-text.ts';
import { formatReason } from '../reason.ts';
import { readPaced, InputBudget } from '../input-budget.ts';
import type { Wire, WireExchange, WireObserver, WireRequest, WireSink } from '../wire.ts';
import {
  formatProcessExit,
  type ProcessExit,
  type ProcessGroup,
  type ProcessSpec,
  startProcessGroup,
  type Watchdog,
} from './process-group.ts';

/** Consecutive lines that are not JSON after which a child does not count as an MCP server. */
const MAX_STRAY_LINES = 1_000;

/** Time for the exit of a child to be reported after its pipe broke, in milliseconds. */
const END_NEWS_MS = 500;

export interface StdioTransportOptions {
  readonly process: ProcessSpec;
  readonly watchdog: Watchdog;
  readonly maxMessageBytes: number;
  readonly onStderr: (stderr: Readable, budget: InputBudget) => void;
  readonly onStrayLine: (count: number) => void;
}

/** The stdio channel is shared, so there is no stream to close. */
const NOTHING_OPEN: WireExchange = { abandon: () => undefined, finish: () => undefined };

/** MCP over the standard streams of a child in its own process group. The SDK's own transport leaves grandchildren running. */
export class StdioTransport implements Wire {
  readonly hasPerRequestStream = false;
  readonly hasSession = false;
  /** The reason why the connection ended, unless this side closed it. */
  endReason: string | undefined;
  exit: ProcessExit | undefined;
  startError: unknown;
  /** The child has received arguments of a caller, which it may print. */
  hasReceivedArguments = false;
  readonly #options: StdioTransportOptions;
  #observer: WireObserver | undefined;
  #group: ProcessGroup | undefined;
  #closed = false;
  readonly #budget = new InputBudget();
  /** The receivers check each field that they use; a schema here would copy every answer. */
  readonly #reader = new MessageReader({
    onMessage: (value) => this.#take(value),
    onUnreadable: (reason, line) => {
      this.#takeStray();
      this.#observer?.onUnreadable(reason, line);
    },
  });
  #strayLines = 0;
  #hasSpoken = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#group?.pid;
  }

  setProtocolVersion(): void {
    // Each message carries its protocol version.
  }

  async start(observer: WireObserver): Promise<void> {
    this.#observer = observer;
    const group = await this.#startGroup();
    this.#group = group;
    this.#options.onStderr(group.stderr, this.#budget);
    const splitter = createLineSplitter(this.#options.maxMessageBytes, (line) => {
      if (!this.#closed && line.length > 0) this.#reader.push(line);
    });
    readPaced(group.stdout, this.#budget, (chunk) => {
      if (this.#closed) return false;
      if (splitter.push(chunk).ok) return true;
      this.#fail(`a message is larger than ${this.#options.maxMessageBytes} bytes`);
      return false;
    });
    void group.ended.then((exit) => {
      this.exit = exit;
      if (!this.#closed) this.endReason ??= formatProcessExit(exit);
      this.#reader.runAfterMessages(() => this.#finish());
    });
    if (this.#closed) await this.#end();
  }

  async #startGroup(): Promise<ProcessGroup> {
    try {
      return await startProcessGroup(this.#options.process, this.#options.watchdog);
    } catch (error) {
      this.startError = error;
      throw error;
    }
  }

  send(message: JSONRPCMessage): Promise<void> {
    const refusal = this.#findRefusal();
    if (refusal !== undefined) return Promise.reject(new Error(refusal));
    return new Promise((resolve, reject) => {
      this.#group?.stdin.write(this.#formatLine({ ...message }), (error) => {
        if (error === null || error === undefined) resolve();
        else this.#runOnceEnded(() => reject(new Error(this.endReason ?? formatReason(error))));
      });
    });
  }

  exchange({ id, method, params }: WireRequest, sink: WireSink): WireExchange {
    this.hasReceivedArguments ||= Object.hasOwn(params, 'arguments');
    const reason = this.#findRefusal();
    if (reason === undefined) {
      const text = this.#formatLine({ jsonrpc: '2.0', id, method, params });
      this.#group?.stdin.write(text, (error) => {
        if (error !== null && error !== undefined)
          this.#runOnceEnded(() =>
            sink.onEnd({ kind: 'lost', reason: this.endReason ?? formatReason(error) }),
          );
      });
    } else queueMicrotask(() => sink.onEnd({ kind: 'lost', reason }));
    return NOTHING_OPEN;
  }

  /** Runs `act` when the exit of the child is known, because its reason says more than the broken pipe, or after a bound. */
  #runOnceEnded(act: () => void): void {
    const timer = setTimeout(act, END_NEWS_MS);
    void this.#group?.ended.then(() => {
      clearTimeout(timer);
      act();
    });
  }

  #findRefusal(): string | undefined {
    const stdin = this.#group?.stdin;
    if (this.#closed || stdin?.writable !== true)
      return this.endReason ?? 'the process does not run';
    return stdin.writableLength > this.#options.maxMessageBytes
      ? 'the process does not read its input'
      : undefined;
  }

  async close(): Promise<void> {
    const closing = this.#end();
    this.#finish();
    await closing;
  }

  /** A child that has sent nothing may be installing its program. */
  #end(): Promise<void> | undefined {
    return this.#hasSpoken ? this.#group?.close() : this.#group?.terminate();
  }

  /** A message as a line. A server may split its input at the line ends of Unicode. */
  #formatLine(message: JsonObject): string {
    return `${escapeInvisible(toOneLine(formatObject(message, 2)))}\n`;
  }

  #take(value: unknown): void {
    if (this.#closed) return;
    const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (messages.length === 0 || !messages.every(isJsonObject)) {
      this.#takeStray();
      return;
    }
    this.#strayLines = 0;
    this.#hasSpoken = true;
    for (const message of messages) this.#observer?.onMessage(message);
  }

  #takeStray(): void {
    if (this.#closed) return;
    this.#strayLines += 1;
    this.#options.onStrayLine(this.#strayLines);
    if (this.#strayLines >= MAX_STRAY_LINES) this.#fail('its output is not MCP');
  }

  #fail(reason: string): void {
    this.endReason ??= reason;
    this.#observer?.onError(new Error(reason));
    void this.close();
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#observer?.onClosed();
  }
}
