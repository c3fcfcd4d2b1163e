import { Composer, Lexer, LineCounter, Parser, type CST, type Document } from 'yaml';
import { MAX_DEPTH, MAX_DOCUMENTS, MAX_LEXEMES, MAX_PROBLEMS } from '../limits.ts';
import { duplicateKeyOffsets } from './duplicate-keys.ts';
import { unresolvedAliasOffset } from './unresolved-alias.ts';
import { REPEATED_KEY, UNRESOLVED_ALIAS, yamlErrorText } from './yaml-error-text.ts';
import { positionAt, type Position } from './yaml-position.ts';

/** A problem of a text, with its position. The message repeats nothing of the text. */
export interface YamlProblem extends Position {
  readonly message: string;
}

/** One YAML document as nodes, or every problem of the text. */
export type ComposedYaml =
  | { readonly ok: true; readonly document: Document.Parsed; readonly lines: LineCounter }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] };

/** YAML 1.2 core, whatever the directives of the text: no merge keys, no tags that create other than plain data. */
const OPTIONS = {
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  stringKeys: true,
  uniqueKeys: false,
  strict: true,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

type Tokens =
  | { readonly ok: true; readonly tokens: readonly CST.Token[] }
  | { readonly ok: false; readonly message: string };

/** Splits the text into tokens within the bounds. Checks the depth here because the composer recurses. */
const tokensOf = (text: string, lines: LineCounter): Tokens => {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    lexemes += 1;
    if (parser.stack.length > MAX_DEPTH) {
      return { ok: false, message: `nests deeper than ${String(MAX_DEPTH)} levels` };
    }
    if (lexemes > MAX_LEXEMES) {
      return { ok: false, message: `holds more than ${String(MAX_LEXEMES)} tokens` };
    }
  }
  for (const token of parser.end()) tokens.push(token);
  return { ok: true, tokens };
};

interface Finding {
  readonly offset: number;
  readonly message: string;
}

const aliasFindings = (document: Document.Parsed): readonly Finding[] => {
  const offset = unresolvedAliasOffset(document);
  return offset === undefined ? [] : [{ offset, message: UNRESOLVED_ALIAS }];
};

/** Returns the first problems. A text with errors has no reliable keys and aliases, which are not checked then. */
const findingsOf = (document: Document.Parsed, text: string): readonly Finding[] => {
  const { errors, warnings } = document;
  if (errors.length > 0 || warnings.length > 0) {
    return [...errors.slice(0, MAX_PROBLEMS), ...warnings.slice(0, MAX_PROBLEMS)].map((error) => ({
      offset: error.pos[0],
      message: yamlErrorText(error, text),
    }));
  }
  const repeated = duplicateKeyOffsets(document, MAX_PROBLEMS);
  return [
    ...repeated.map((offset) => ({ offset, message: REPEATED_KEY })),
    ...aliasFindings(document),
  ];
};

const problemsOf = (
  document: Document.Parsed,
  text: string,
  lines: LineCounter,
): readonly YamlProblem[] =>
  findingsOf(document, text)
    .toSorted((a, b) => a.offset - b.offset)
    .slice(0, MAX_PROBLEMS)
    .map(({ message, offset }) => ({ ...positionAt(lines, offset), message }));

/** Returns the result for an invalid text. */
export const refuseYaml = (
  message: string,
  position: Position = { line: 1, column: 1 },
): Extract<ComposedYaml, { ok: false }> => ({
  ok: false,
  problems: [{ ...position, message }],
});

type Documents =
  | {
      readonly ok: true;
      readonly documents: readonly Document.Parsed[];
      readonly lines: LineCounter;
    }
  | Extract<ComposedYaml, { ok: false }>;

const documentsOf = (text: string): Documents => {
  const lines = new LineCounter();
  const tokens = tokensOf(text, lines);
  if (!tokens.ok) return refuseYaml(tokens.message);
  const documents = [...new Composer(OPTIONS).compose(tokens.tokens, true, text.length)];
  return { ok: true, documents, lines };
};

/** Parses a text that must be one YAML 1.2 document of at most 100 levels and 500,000 tokens. Never throws. */
export const composeYaml = (text: string): ComposedYaml => {
  const read = documentsOf(text);
  if (!read.ok) return read;
  const { documents, lines } = read;
  const [document, second] = documents;
  if (document === undefined) return refuseYaml('holds no document');
  if (second !== undefined) {
    const position = positionAt(lines, second.range[0]);
    return refuseYaml('holds more than one document; write one resource per file', position);
  }
  const problems = problemsOf(document, text, lines);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, document, lines };
};

/** Parses the at most 100 YAML 1.2 documents of a text, which together have the bounds of one. Never throws. */
export const composeDocuments = (text: string): Documents => {
  const read = documentsOf(text);
  if (!read.ok) return read;
  if (read.documents.length > MAX_DOCUMENTS) {
    return refuseYaml(`holds more than ${String(MAX_DOCUMENTS)} documents`);
  }
  const problems = read.documents.flatMap((document) => problemsOf(document, text, read.lines));
  return problems.length > 0 ? { ok: false, problems: problems.slice(0, MAX_PROBLEMS) } : read;
};
