import { composeYaml, refuseYaml, type YamlProblem } from './compose-yaml.ts';
import { plainValueOf } from './plain-value.ts';
import { positionsOf, type DocumentPath, type Position } from './yaml-position.ts';

/** One YAML document as plain data, or every reason why the text is none. */
export type ParsedYaml =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly locate: (path: DocumentPath) => Position;
    }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] };

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * Parses a text that must be one YAML 1.2 document of plain data. An empty text is the value null.
 * Depth, values and alias expansion are bounded; never throws.
 */
export const parseYaml = (text: string): ParsedYaml => {
  const composed = composeYaml(text);
  if (!composed.ok) return composed;
  const { document, lines } = composed;
  try {
    const plain = plainValueOf(document);
    return plain.ok
      ? { ok: true, value: plain.value, locate: positionsOf(document, lines) }
      : refuseYaml(plain.message);
  } catch (error) {
    return refuseYaml(reasonOf(error));
  }
};
