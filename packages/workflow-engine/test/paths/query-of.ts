import { parsePath } from '@gateway/go-template';
import type { JsonPath } from '../../src/expectations/json-path.ts';

/** The path of a text that is JSONPath; undefined for any other text. */
export const queryOf = (text: string): JsonPath | undefined => {
  const parsed = parsePath(text);
  return parsed.ok && parsed.value.kind === 'json-path' ? parsed.value : undefined;
};
