import type { Answer, Refusal } from '@gateway/agent-manager-client';
import type { KubernetesObject, Stored } from '@gateway/agent-releases';

/** An answer with something else made of its value. */
export const mapped = <T, U>(answer: Answer<T>, map: (value: T) => U): Answer<U> =>
  answer.ok ? { ok: true, value: map(answer.value) } : answer;

/** What was written; nothing is a conflict: the object is not as the writer takes it to be. */
export const written = <T>(answer: Answer<T | undefined>, conflict: Refusal): Answer<T> => {
  if (!answer.ok) return answer;
  return answer.value === undefined
    ? { ok: false, refusal: conflict }
    : { ok: true, value: answer.value };
};

/** The object without its revision. */
export const objectOf = (
  stored: Stored<KubernetesObject> | undefined,
): KubernetesObject | undefined => stored?.object;
