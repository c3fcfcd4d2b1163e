import type { Caller, ClientAnswer } from '@gateway/call-contract';

interface Asked {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A caller that records the messages that it receives. */
export interface TestCaller extends Caller {
  readonly asked: readonly Asked[];
  readonly notified: readonly Asked[];
  /** The signals of the questions, in order. */
  readonly signals: readonly AbortSignal[];
}

type Answer = (question: Asked) => ClientAnswer | Promise<ClientAnswer>;

/** A caller who answers everything with its name. */
export const testCaller = (
  name: string,
  given: Partial<Caller> = {},
  answer: Answer = () => ({ ok: true, result: { from: name } }),
): TestCaller => {
  const asked: Asked[] = [];
  const notified: Asked[] = [];
  const signals: AbortSignal[] = [];
  return {
    capabilities: { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} },
    takesInputRequired: false,
    logLevel: undefined,
    identity: name,
    ...given,
    asked,
    notified,
    signals,
    ask(question, options) {
      asked.push(question);
      if (options?.signal !== undefined) signals.push(options.signal);
      return Promise.resolve(answer(question));
    },
    notify(notification) {
      notified.push(notification);
    },
  };
};

/** An answer that never comes. */
export const noAnswer = (): Promise<ClientAnswer> => new Promise(() => undefined);
