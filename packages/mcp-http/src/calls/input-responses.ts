import { isJsonObject, type JsonObject } from '@gateway/call-contract';

const ACTIONS: readonly unknown[] = ['accept', 'decline', 'cancel'];

const isRoot = (root: unknown): boolean => isJsonObject(root) && typeof root['uri'] === 'string';

/** Returns whether a result has the members that every server relies on for its question. */
const IS_ANSWER: ReadonlyMap<string, (result: JsonObject) => boolean> = new Map([
  [
    'elicitation/create',
    ({ action, content }) =>
      ACTIONS.includes(action) &&
      (content === undefined || content === null || isJsonObject(content)),
  ],
  [
    'sampling/createMessage',
    ({ role, content, model }) =>
      typeof role === 'string' &&
      typeof model === 'string' &&
      (isJsonObject(content) || Array.isArray(content)),
  ],
  ['roots/list', ({ roots }) => Array.isArray(roots) && roots.every(isRoot)],
]);

/** The client's answer to the question with a key, out of the `inputResponses` of a retry; `undefined`: missing or of the wrong shape. */
export const inputResponse = (
  responses: JsonObject,
  { key, method }: { readonly key: string; readonly method: string },
): JsonObject | undefined => {
  const result = Object.hasOwn(responses, key) ? responses[key] : undefined;
  if (!isJsonObject(result)) return undefined;
  return IS_ANSWER.get(method)?.(result) === true ? result : undefined;
};
