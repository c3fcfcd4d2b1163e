import type { ClientAnswer } from '@gateway/agent-manager-client';

/** Returns the value of an answer of agent-manager. Throws an error with the sentence of the service for a refusal or a failure. */
export const answeredValue = <T>(answer: ClientAnswer<T>): T => {
  if (answer.ok) return answer.value;
  throw new Error((answer.refusal ?? answer.failure).message);
};
