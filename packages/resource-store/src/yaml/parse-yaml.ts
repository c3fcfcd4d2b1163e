import { Composer, Lexer, LineCounter, Parser, type CST, type Document } from 'yaml';
import { MAX_DEPTH, MAX_PROBLEMS_PER_FILE } from '../limits.ts';
import { plainValueOf } from './plain-value.ts';
import { positionAt, positionsOf, type DocumentPath, type Position } from './yaml-position.ts';

/** What is wrong in a text, and where. */
export interface YamlProblem extends Position {
  readonly message: string;
}

/** One YAML document as plain data, or every reason why the text is none. */
export type ParsedYaml =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly locate: (path: DocumentPath) => Position;
    }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] };

/** YAML 1.2 core whatever the text's own directives say: no merge keys, no tags that make other than plain data. */
const OPTIONS = {
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  stringKeys: true,
  uniqueKeys: true,
  strict: true,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

/** The tokens of the text, or undefined when it nests too deeply. Checked while reading, since the composer recurses. */
const tokensOf = (text: string, lines: LineCounter): readonly CST.Token[] | undefined => {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH) return undefined;
  }
  tokens.push(...parser.end());
  return tokens;
};

const problemsOf = (document: Document.Parsed, lines: LineCounter): readonly YamlProblem[] =>
  [...document.errors, ...document.warnings]
    .sort((a, b) => a.pos[0] - b.pos[0])
    .slice(0, MAX_PROBLEMS_PER_FILE)
    .map(({ message, pos }) => ({ ...positionAt(lines, pos[0]), message }));

const refuse = (message: string, position: Position = { line: 1, column: 1 }): ParsedYaml => ({
  ok: false,
  problems: [{ ...position, message }],
});

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * Parses a text that must be one YAML 1.2 document of plain data. An empty text is the value null.
 * Depth, values and alias expansion are bounded; never throws.
 */
export const parseYaml = (text: string): ParsedYaml => {
  const lines = new LineCounter();
  const tokens = tokensOf(text, lines);
  if (tokens === undefined) return refuse(`nests deeper than ${String(MAX_DEPTH)} levels`);
  const [document, second] = new Composer(OPTIONS).compose(tokens, true, text.length);
  if (document === undefined) return refuse('holds no document');
  if (second !== undefined) {
    const position = positionAt(lines, second.range[0]);
    return refuse('holds more than one document; write one resource per file', position);
  }
  const problems = problemsOf(document, lines);
  if (problems.length > 0) return { ok: false, problems };
  try {
    const plain = plainValueOf(document);
    return plain.ok
      ? { ok: true, value: plain.value, locate: positionsOf(document, lines) }
      : refuse(plain.message);
  } catch (error) {
    return refuse(reasonOf(error));
  }
};
