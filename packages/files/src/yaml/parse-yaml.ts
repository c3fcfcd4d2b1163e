import type { Document, LineCounter } from 'yaml';
import { MAX_DEPTH, MAX_VALUES } from '../limits.ts';
import {
  composeDocuments,
  composeYaml,
  type DocumentPath,
  type Position,
  positionsOf,
  refuseYaml,
  type YamlProblem,
} from './compose-yaml.ts';

type PlainValue =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

const childrenOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [];

/** Returns which bound the document exceeds with every alias expanded; undefined for none. A cycle of aliases exceeds the depth. */
const boundViolation = (root: unknown): string | undefined => {
  let level: unknown[] = [root];
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH)
      return `nests deeper than ${String(MAX_DEPTH)} levels through its aliases`;
    count += level.length;
    if (count > MAX_VALUES) return `holds more than ${String(MAX_VALUES)} values`;
    level = level.flatMap(childrenOf);
  }
  return undefined;
};

/** Returns the document as plain data: objects with own keys only, arrays, strings, numbers, booleans, null. */
export const plainValueOf = (document: Document.Parsed): PlainValue => {
  // The library limits the number of aliases; this package limits the expanded size. Aliases share their value.
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  const message = boundViolation(value);
  return message === undefined ? { ok: true, value } : { ok: false, message };
};

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
