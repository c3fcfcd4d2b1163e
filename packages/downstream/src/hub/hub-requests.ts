import {
  type Caller,
  type ClientAnswer,
  type ProgressReport,
  RPC_CODE,
} from '@gateway/call-contract';
import type { DownstreamError, DownstreamOutcome, RequestOptions } from '../requests/call.ts';
import type { Downstream } from '../supervision/downstream.ts';
import type { Completion, PromptGet, ResourceRead, ToolCall } from '../requests/requests.ts';
import { reasonOf } from '../wire/reason.ts';
import type { FromHub, HubMethod, RequestText, ToHub } from './hub-message.ts';
import type { Outbox } from './outbox.ts';

type RequestMessage = Extract<ToHub, { kind: 'request' }>;

interface Question {
  readonly settle: (answer: ClientAnswer) => void;
  readonly onProgress: ((progress: ProgressReport) => void) | undefined;
}

interface Running {
  readonly controller: AbortController;
  readonly questions: Map<number, Question>;
  /** Number of the last question. None is used twice: a late answer must not be taken for that of another question. */
  lastQuestion: number;
}

const UNREAD = 'answers that nobody has read yet fill the memory for them';
const WITHDRAWN: ClientAnswer = {
  ok: false,
  error: { code: RPC_CODE.transport, message: 'the question was withdrawn' },
};

const runners: {
  readonly [M in HubMethod]: (
    downstream: Downstream,
    call: unknown,
    options: RequestOptions,
  ) => Promise<DownstreamOutcome>;
} = {
  // The text was written by `connectDownstreamHub` of the same release.
  callTool: (downstream, call, options) => downstream.callTool(call as ToolCall, options),
  readResource: (downstream, call, options) =>
    downstream.readResource(call as ResourceRead, options),
  getPrompt: (downstream, call, options) => downstream.getPrompt(call as PromptGet, options),
  complete: (downstream, call, options) => downstream.complete(call as Completion, options),
};

const askOver =
  (outbox: Outbox, id: number, running: Running): Caller['ask'] =>
  (question, options = {}) => {
    const { questions, controller } = running;
    const number = (running.lastQuestion += 1);
    return new Promise((resolve) => {
      const settle = (answer: ClientAnswer): void => {
        if (!questions.delete(number)) return;
        for (const signal of signals) signal.removeEventListener('abort', withdraw);
        resolve(answer);
      };
      const withdraw = (): void => {
        if (!questions.has(number)) return;
        outbox.post({ kind: 'withdraw', id, question: number });
        settle(WITHDRAWN);
      };
      const signals = [controller.signal, ...(options.signal ? [options.signal] : [])];
      questions.set(number, { settle, onProgress: options.onProgress });
      for (const signal of signals) signal.addEventListener('abort', withdraw, { once: true });
      const text = JSON.stringify(question);
      const progress = options.onProgress !== undefined;
      const sent = outbox.offer({ kind: 'question', id, question: number, text, progress });
      if (!sent) settle({ ok: false, error: { code: RPC_CODE.transport, message: UNREAD } });
      else if (signals.some(({ aborted }) => aborted)) withdraw();
    });
  };

const callerOf = (
  outbox: Outbox,
  message: RequestMessage,
  running: Running,
  { capabilities = {} }: RequestText,
): Caller | undefined => {
  const { id, caller } = message;
  if (caller === undefined) return undefined;
  return {
    capabilities,
    takesInputRequired: caller.takesInputRequired,
    logLevel: caller.logLevel,
    identity: caller.identity,
    ask: askOver(outbox, id, running),
    notify: (notification) =>
      outbox.mention({ kind: 'notice', id, text: JSON.stringify(notification) }),
  };
};

type Answer = Extract<FromHub, { kind: 'result' | 'refused' }>;

const answerOf = (id: number, outcome: DownstreamOutcome): Answer => {
  if (!outcome.ok) return { kind: 'refused', id, text: JSON.stringify(outcome.error) };
  const text = outcome.json ?? JSON.stringify(outcome.result);
  return { kind: 'result', id, text, verbatim: outcome.json !== undefined };
};

const noAnswer = (id: number, server: string, reason: string): Answer => {
  const error: DownstreamError = { code: 'response.invalid', server, reason };
  return { kind: 'refused', id, text: JSON.stringify(error) };
};

/** JSON that can be read may be nested too deeply to be written again. */
const writtenAnswer = (id: number, server: string, outcome: DownstreamOutcome): Answer => {
  try {
    return answerOf(id, outcome);
  } catch (error) {
    return noAnswer(id, server, reasonOf(error));
  }
};

const serverOf = (call: unknown): string => (call as { readonly server: string }).server;

/** The requests that one user of the hub has running. */
export class HubRequests {
  readonly #downstream: Downstream;
  readonly #outbox: Outbox;
  readonly #running = new Map<number, Running>();

  constructor(downstream: Downstream, outbox: Outbox) {
    this.#downstream = downstream;
    this.#outbox = outbox;
  }

  /** Carries a request out and sends its outcome. */
  async run(message: RequestMessage): Promise<void> {
    const { id, method } = message;
    const text = JSON.parse(message.text) as RequestText;
    const running: Running = {
      controller: new AbortController(),
      questions: new Map(),
      lastQuestion: 0,
    };
    this.#running.set(id, running);
    const options = optionsOf(this.#outbox, message, running, text);
    const outcome = await runners[method](this.#downstream, text.call, options);
    this.#running.delete(id);
    const server = serverOf(text.call);
    if (!this.#outbox.offer(writtenAnswer(id, server, outcome)))
      this.#outbox.post(noAnswer(id, server, UNREAD));
  }

  /** The user does not want the outcome any more. */
  cancel(id: number, reason: string): void {
    this.#running.get(id)?.controller.abort(reason);
  }

  /** The caller has answered a question. */
  answer({ id, question, text }: Extract<ToHub, { kind: 'client-answer' }>): void {
    this.#question(id, question)?.settle(JSON.parse(text) as ClientAnswer);
  }

  /** The caller reports progress about its answer. */
  progress({ id, question, text }: Extract<ToHub, { kind: 'client-progress' }>): void {
    this.#question(id, question)?.onProgress?.(JSON.parse(text) as ProgressReport);
  }

  /** Cancels all of them: their user is gone. */
  close(): void {
    for (const { controller } of this.#running.values())
      controller.abort('the process of the caller has ended');
  }

  #question(id: number, question: number): Question | undefined {
    return this.#running.get(id)?.questions.get(question);
  }
}

const optionsOf = (
  outbox: Outbox,
  message: RequestMessage,
  running: Running,
  text: RequestText,
): RequestOptions => {
  const caller = callerOf(outbox, message, running, text);
  const onProgress = (progress: ProgressReport): void =>
    outbox.mention({ kind: 'progress', id: message.id, text: JSON.stringify(progress) });
  return {
    signal: running.controller.signal,
    ...(message.progress && { onProgress }),
    ...text.facts,
    ...(caller && { caller }),
  };
};
