import { type AskOptions, type Caller, type ClientAnswer, RPC_CODE } from '@gateway/call-contract';
import type { FromHub } from './hub-message.ts';
import type { HubPort } from './hub-port.ts';

type QuestionMessage = Extract<FromHub, { kind: 'question' }>;

/** The questions of a server to the caller of one request. */
export interface AskedQuestions {
  /** Asks the caller and sends the answer back. */
  ask(message: QuestionMessage): void;
  withdraw(question: number): void;
  /** The request has ended: nobody waits for answers. */
  withdrawAll(): void;
}

const NOBODY: ClientAnswer = {
  ok: false,
  error: { code: RPC_CODE.methodNotFound, message: 'nobody can be asked' },
};

/** Puts the questions that come over the port to the caller. */
export const createAskedQuestions = (
  port: HubPort,
  id: number,
  caller: Caller | undefined,
): AskedQuestions => {
  const open = new Map<number, AbortController>();
  const put = async ({ question, text, progress }: QuestionMessage): Promise<void> => {
    const controller = new AbortController();
    open.set(question, controller);
    const onProgress: AskOptions['onProgress'] = (report) =>
      port.send({ kind: 'client-progress', id, question, text: JSON.stringify(report) });
    const options = { signal: controller.signal, ...(progress && { onProgress }) };
    const asked = JSON.parse(text) as Parameters<Caller['ask']>[0];
    const answer =
      caller === undefined ? NOBODY : await caller.ask(asked, options).catch(() => NOBODY);
    if (open.delete(question))
      port.send({ kind: 'client-answer', id, question, text: JSON.stringify(answer) });
  };
  const withdraw = (question: number): void => {
    const controller = open.get(question);
    open.delete(question);
    controller?.abort(new Error('the server withdrew its question'));
  };
  return {
    ask: (message) => void put(message),
    withdraw,
    withdrawAll() {
      for (const question of [...open.keys()]) withdraw(question);
    },
  };
};
