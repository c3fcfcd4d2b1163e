import { Document, visit, type Scalar } from 'yaml';
import { defined } from '../values/lenient.ts';
import type { KubernetesObject } from '../store/objects.ts';

/** The fields of `metadata` that the API server sets. */
const SERVER_KEYS: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** Matches characters that YAML accepts only as escapes in double quotes. */
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff]/gu;
/** Matches strings that need double quotes: escaped characters, control characters except tab and newline, and lone surrogates. */
const QUOTED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\p{Surrogate}]/u;

const escape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The string that YAML 1.1 reads as a special value. */
const VALUE_MARK = '=';
/** Matches strings with leading blanks or blank lines, which a block scalar does not preserve. */
const BLANK_LINES = /^\s|\n[\t ]+(?:\n|$)/u;

const needsQuotes = (text: string): boolean =>
  text === VALUE_MARK || QUOTED.test(text) || BLANK_LINES.test(text);

const quoteIfNeeded = (_key: unknown, scalar: Scalar): void => {
  if (typeof scalar.value === 'string' && needsQuotes(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
};

/** Returns JSON as YAML in the order of its keys. Strings that any version of YAML reads as another type are quoted. */
export const yamlText = (value: unknown): string => {
  const document = new Document(value, {
    version: '1.2',
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
  });
  visit(document, { Scalar: quoteIfNeeded });
  return document.toString({ lineWidth: 0, blockQuote: 'literal' }).replaceAll(ESCAPED, escape);
};

/** Returns the manifest of an object without its status and without the fields that the API server sets. */
export const manifestText = ({ apiVersion, kind, metadata, spec }: KubernetesObject): string =>
  yamlText(
    defined({
      apiVersion,
      kind,
      metadata: Object.fromEntries(
        Object.entries(metadata).filter(([key]) => !SERVER_KEYS.has(key)),
      ),
      spec,
    }),
  );
