import type { Document, LineCounter } from 'yaml';
import { composeDocuments, composeYaml, refuseYaml, type YamlProblem } from './compose-yaml.ts';
import { plainValueOf } from './plain-value.ts';
import { positionsOf, type DocumentPath, type Position } from './yaml-position.ts';

/** One YAML document as plain data, or every problem of the text. */
export type ParsedYaml =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly locate: (path: DocumentPath) => Position;
    }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] };

/** {@link ParsedYaml} with the positions of given paths, for another process. */
export type YamlAnswer =
  | { readonly ok: true; readonly value: unknown; readonly positions: readonly Position[] }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] };

const parsed = (document: Document.Parsed, lines: LineCounter): ParsedYaml => {
  try {
    const plain = plainValueOf(document);
    return plain.ok
      ? { ok: true, value: plain.value, locate: positionsOf(document, lines) }
      : refuseYaml(plain.message);
  } catch {
    // The message of the library may repeat parts of the text.
    return refuseYaml('cannot be converted to plain values');
  }
};

/**
 * Parses a text that must be one YAML 1.2 document of plain data. An empty text is the value null.
 * Depth, values and alias expansion are bounded; never throws.
 */
export const parseYaml = (text: string): ParsedYaml => {
  const composed = composeYaml(text);
  return composed.ok ? parsed(composed.document, composed.lines) : composed;
};

/** Parses every document of a text. Invalid YAML gives one result with the problems. Never throws. */
export const parseYamlDocuments = (text: string): readonly ParsedYaml[] => {
  const composed = composeDocuments(text);
  if (!composed.ok) return [composed];
  return composed.documents.map((document) => parsed(document, composed.lines));
};
