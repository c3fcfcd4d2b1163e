import { isJsonObject, type JsonObject, toObject } from '@gateway/call-contract';
import { useCallback, useSyncExternalStore } from 'react';
import { useBackend } from '../../backend/backend.ts';
import type { McpClient, Progress } from '../../mcp/mcp-client.ts';

/** A question of a server, asked during a call. MCP 2026-07-28, multi round-trip requests */
export interface Question {
  readonly id: string;
  readonly method: string;
  readonly params: JsonObject;
}

/** The state of a call. `asking` waits for answers to questions; a call with answers continues with them and with `requestState`. */
type ToolCallState =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly progress?: Progress }
  | {
      readonly state: 'asking';
      readonly questions: readonly Question[];
      readonly requestState?: string;
    }
  | { readonly state: 'done'; readonly result: JsonObject; readonly isError: boolean }
  | { readonly state: 'cancelled'; readonly message: string }
  | { readonly state: 'failed'; readonly message: string };

/** Answers to the questions of a call, by id. */
export interface CallAnswers {
  readonly responses: Readonly<Record<string, JsonObject>>;
  readonly requestState?: string;
}

/** The call of a tool, and how it is followed. */
interface ToolCallOptions {
  readonly name: string;
  readonly args: JsonObject;
  readonly answers?: CallAnswers;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

const NO_QUESTION = 'The server asks for an answer, but its question is missing or not valid.';

const parseQuestions = (requests: unknown): readonly Question[] =>
  Object.entries(toObject(requests)).flatMap(([id, request]) => {
    if (!isJsonObject(request) || typeof request['method'] !== 'string') return [];
    const { method, params } = request;
    return [{ id, method, params: toObject(params) }];
  });

const parseResult = (result: JsonObject): ToolCallState => {
  if (result['resultType'] !== 'input_required')
    return { state: 'done', result, isError: result['isError'] === true };
  const { requestState, inputRequests } = result;
  const questions = parseQuestions(inputRequests);
  // A call that asks nothing could be neither answered nor ended.
  if (questions.length === 0) return { state: 'failed', message: NO_QUESTION };
  return {
    state: 'asking',
    questions,
    ...(typeof requestState === 'string' && { requestState }),
  };
};

/** Calls a tool through `call_tool`, or continues a call with answers. Resolves with the state in which the call ends or asks. @spec §1.1 */
export const callTool = async (
  client: McpClient,
  options: ToolCallOptions,
): Promise<ToolCallState> => {
  const { name, args, answers, signal, onProgress } = options;
  const outcome = await client.request(
    'tools/call',
    {
      name: 'call_tool',
      arguments: { name, arguments: args },
      ...(answers !== undefined && { inputResponses: answers.responses }),
      ...(answers?.requestState !== undefined && { requestState: answers.requestState }),
    },
    { signal, onProgress },
  );
  if (outcome.ok) return parseResult(outcome.result);
  return { state: signal.aborted ? 'cancelled' : 'failed', message: outcome.message };
};

/** The last call of a tool. */
interface ToolCallWithArguments {
  readonly call: ToolCallState;
  readonly args: JsonObject;
}

interface Entry extends ToolCallWithArguments {
  readonly ending: AbortController;
}

const NO_CALL: ToolCallWithArguments = { call: { state: 'idle' }, args: {} };
/** Results can be large. */
const MAX_ENDED = 20;

const isRunning = ({ call }: ToolCallWithArguments): boolean => call.state === 'running';

/** The sentence is that of the browser. */
const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * The last call of each tool, for as long as the application is open: a user who leaves the page of a call finds it there again, and
 * can cancel it. A browser that closes the application ends the calls, and asks before.
 */
class RunningCalls {
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
  last(name: string): ToolCallWithArguments {
    return this.#entries.get(name) ?? NO_CALL;
  }

  /** Calls a listener after every change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls a tool in place of its last call, which ends. With answers, it continues a call that asked. */
  start(name: string, args: JsonObject, answers?: CallAnswers): void {
    this.cancel(name);
    const ending = new AbortController();
    const report = (call: ToolCallState): void => {
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

  /** Ends all calls, because the user is no longer signed in here. */
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
export const findCalls = (client: McpClient): RunningCalls => {
  const known = calls.get(client) ?? new RunningCalls(client);
  calls.set(client, known);
  return known;
};

/** A call of one tool at a time, and what a user can do with it. */
export interface RunningToolCall {
  readonly tool: string;
  readonly call: ToolCallState;
  /** The arguments of the last call. */
  readonly lastArguments: JsonObject;
  readonly start: (args: JsonObject) => void;
  /** Continues a call that asks. */
  readonly answer: (answers: CallAnswers) => void;
  readonly cancel: () => void;
}

/** Calls a tool and follows its last call, also one that began before the user left the page and came back. */
export const useToolCall = (name: string): RunningToolCall => {
  const calls = findCalls(useBackend().gateway);
  const read = useCallback(() => calls.last(name), [calls, name]);
  const { call, args } = useSyncExternalStore(calls.subscribe, read);
  return {
    tool: name,
    call,
    lastArguments: args,
    start: (given) => calls.start(name, given),
    answer: (answers) => calls.start(name, args, answers),
    cancel: () => calls.cancel(name),
  };
};

/** Returns the names of the tools whose calls run, in the order in which they began. */
export const useRunningCalls = (): readonly string[] => {
  const calls = findCalls(useBackend().gateway);
  return useSyncExternalStore(calls.subscribe, () => calls.running);
};
