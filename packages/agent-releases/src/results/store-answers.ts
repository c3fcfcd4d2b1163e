import type { Answer, Refusal } from '@gateway/agent-manager-client';
import type { KubernetesObject, Stored } from '../store/objects.ts';

/** Returns an answer with its value mapped. */
export const mapped = <T, U>(answer: Answer<T>, map: (value: T) => U): Answer<U> =>
  answer.ok ? { ok: true, value: map(answer.value) } : answer;

/** Returns the written value, or the conflict when nothing was written. */
export const written = <T>(answer: Answer<T | undefined>, conflict: Refusal): Answer<T> => {
  if (!answer.ok) return answer;
  return answer.value === undefined
    ? { ok: false, refusal: conflict }
    : { ok: true, value: answer.value };
};

/** Returns the object without its revision. */
export const objectOf = (
  stored: Stored<KubernetesObject> | undefined,
): KubernetesObject | undefined => stored?.object;
