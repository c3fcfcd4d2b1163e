import { type ClientAnswer, isRefusal, type Refusal } from '@gateway/agent-manager-client';

/** A refusal of agent-manager. Its message is the sentence of the service. */
export class RefusalError extends Error {
  readonly code: Refusal['code'];

  constructor({ code, message }: Refusal) {
    super(message);
    this.name = 'RefusalError';
    this.code = code;
  }
}

/** Returns the value of an answer of agent-manager. Throws a {@link RefusalError} for a refusal, and another error for a failure. */
export const answeredValue = <T>(answer: ClientAnswer<T>): T => {
  if (answer.ok) return answer.value;
  throw isRefusal(answer.error) ? new RefusalError(answer.error) : new Error(answer.error.message);
};
