import { parsePath } from '@gateway/go-template';
import { compileJsonPath, type JsonPathQuery } from '../../src/paths/json-path.ts';

/** The query of a text that is JSONPath; undefined for any other text. */
export const queryOf = (text: string): JsonPathQuery | undefined => {
  const parsed = parsePath(text);
  return parsed.ok && parsed.path.kind === 'json-path' ? compileJsonPath(parsed.path) : undefined;
};
