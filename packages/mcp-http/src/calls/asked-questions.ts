import type { AskOptions, ClientAnswer, ClientRequest, JsonObject } from '@gateway/call-contract';
import { WITHDRAWN } from '../protocol/client-answers.ts';
import { inputResponse } from './input-responses.ts';

interface Asked {
  readonly question: ClientRequest;
  readonly settle: (answer: ClientAnswer) => void;
}

/** The questions of one call of 2026-07-28 that its caller has not answered, by the keys under which the caller sees them. */
export class AskedQuestions {
  readonly #open = new Map<string, Asked>();
  #last = 0;

  /** Number of open questions. */
  get size(): number {
    return this.#open.size;
  }

  /** The open questions as an `input_required` result lists them. */
  get inputRequests(): Readonly<Record<string, ClientRequest>> {
    return Object.fromEntries([...this.#open].map(([key, { question }]) => [key, question]));
  }

  /** Adds a question; resolves with its answer and never rejects. */
  ask(question: ClientRequest, { signal }: AskOptions): Promise<ClientAnswer> {
    this.#last += 1;
    const key = `q${this.#last}`;
    const { method, params } = question;
    return new Promise((resolve) => {
      const withdraw = (): void => settle(WITHDRAWN);
      const settle = (answer: ClientAnswer): void => {
        this.#open.delete(key);
        signal?.removeEventListener('abort', withdraw);
        resolve(answer);
      };
      this.#open.set(key, { question: { method, params }, settle });
      signal?.addEventListener('abort', withdraw);
    });
  }

  /** Receives the answers of a retry. Questions without a well-formed answer stay open, and unknown keys are ignored. */
  receive(responses: JsonObject): void {
    for (const [key, { question, settle }] of [...this.#open]) {
      const result = inputResponse(responses, { key, method: question.method });
      if (result !== undefined) settle({ ok: true, result });
    }
  }

  /** Answers all open questions with the same answer. */
  settleAll(answer: ClientAnswer): void {
    for (const { settle } of [...this.#open.values()]) settle(answer);
  }
}
