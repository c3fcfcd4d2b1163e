import type { McpClient } from '../../mcp/mcp-client.ts';
import type { JsonObject } from '../../mcp/mcp-outcome.ts';
import { callTool, type Answers, type ToolCall } from './tool-call.ts';

/** The last call of a tool. */
export interface LastCall {
  readonly call: ToolCall;
  readonly args: JsonObject;
}

interface Entry extends LastCall {
  readonly ending: AbortController;
}

const NO_CALL: LastCall = { call: { state: 'idle' }, args: {} };
/** Results can be large. */
const MAX_ENDED = 20;

const isRunning = ({ call }: LastCall): boolean => call.state === 'running';

/** The sentence is that of the browser. */
const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * The last call of each tool, for as long as the application is open: a person who leaves the page of a call finds it there again, and
 * can cancel it. A browser that closes the application ends the calls, and asks before.
 */
export class RunningCalls {
  readonly #client: McpClient;
  /** In the order in which they began. */
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();
  #running: readonly string[] = [];

  constructor(client: McpClient) {
    this.#client = client;
  }

  /** The names of the tools whose calls run, in the order in which they began. The same array while they are unchanged. */
  get running(): readonly string[] {
    return this.#running;
  }

  /** Returns the last call of a tool; the same object while it is unchanged. */
  last(name: string): LastCall {
    return this.#entries.get(name) ?? NO_CALL;
  }

  /** Calls a listener after every change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls a tool in place of its last call, which ends. With answers, it continues a call that asked. */
  start(name: string, args: JsonObject, answers?: Answers): void {
    this.cancel(name);
    const ending = new AbortController();
    const report = (call: ToolCall): void => {
      if (this.#entries.get(name)?.ending === ending) this.#write(name, { call, args, ending });
    };
    this.#entries.delete(name);
    this.#write(name, { call: { state: 'running' }, args, ending });
    void callTool(this.#client, {
      name,
      args,
      ...(answers !== undefined && { answers }),
      signal: ending.signal,
      onProgress: (progress) => report({ state: 'running', progress }),
    }).then(report);
  }

  /** Ends the call of a tool. */
  cancel(name: string): void {
    this.#entries.get(name)?.ending.abort();
  }

  /** Ends all calls, because the person is no longer signed in here. */
  cancelAll(): void {
    for (const { ending } of this.#entries.values()) ending.abort();
  }

  #write(name: string, entry: Entry): void {
    this.#entries.set(name, entry);
    this.#forget();
    const names = [...this.#entries].flatMap(([tool, one]) => (isRunning(one) ? [tool] : []));
    if (names.join('\n') !== this.#running.join('\n')) this.#running = names;
    if (names.length > 0) addEventListener('beforeunload', askBeforeLeaving);
    else removeEventListener('beforeunload', askBeforeLeaving);
    for (const listener of this.#listeners) listener();
  }

  #forget(): void {
    const ended = [...this.#entries].filter(([, entry]) => !isRunning(entry));
    for (const [name] of ended.slice(0, -MAX_ENDED)) this.#entries.delete(name);
  }
}

const calls = new WeakMap<McpClient, RunningCalls>();

/** Returns the calls of a client, which belongs to one session. */
export const callsOf = (client: McpClient): RunningCalls => {
  const known = calls.get(client) ?? new RunningCalls(client);
  calls.set(client, known);
  return known;
};
