import type { TemplateNode } from '../tree/template.ts';
import { MAX_TEMPLATE_NESTING } from '../tree/template-limits.ts';
import type { Token } from '../lexing/token.ts';

/** The state of a parse. Once `problem` is set, every function returns null. */
export interface TemplateParser {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** The token that is next. */
  next: number;
  /** The number of open blocks and parentheses. */
  depth: number;
  /** The number of open `range` bodies. */
  ranges: number;
  /** The variables in reach, with their `$`; the place is the slot. */
  variables: string[];
  readonly definitions: Map<string, readonly TemplateNode[]>;
  /** The templates that are used, with the place of their first use. */
  readonly uses: Map<string, number>;
  problem: { readonly at: number; readonly message: string } | undefined;
}

/** Returns the next token. The last token is `eof` and stays. */
export const peek = (parser: TemplateParser, ahead = 0): Token => {
  const token = parser.tokens[Math.min(parser.next + ahead, parser.tokens.length - 1)];
  if (token === undefined) throw new Error('a template has at least the token of its end');
  return token;
};

/** Consumes the next token. */
export const take = (parser: TemplateParser): Token => {
  const token = peek(parser);
  parser.next += 1;
  return token;
};

/** Records the first problem. */
export const refuse = (parser: TemplateParser, at: number, message: string): null => {
  parser.problem ??= { at, message };
  return null;
};

const LONGEST_SHOWN = 64;

/** Returns a token as messages show it. The content of a text in quotes is not shown, because it may be a secret. */
export const tokenText = (parser: TemplateParser, token: Token): string => {
  if (token.kind === 'eof') return 'EOF';
  if (token.kind === 'literal' && typeof token.value === 'string') return '"…"';
  const written = parser.text.slice(token.at, Math.min(token.end, token.at + LONGEST_SHOWN));
  return token.kind === 'right' ? '"}}"' : JSON.stringify(written);
};

/** Refuses a token that is not allowed at its position. */
export const unexpected = (parser: TemplateParser, token: Token, where: string): null =>
  refuse(
    parser,
    token.at,
    token.kind === 'eof' ? 'unexpected EOF' : `unexpected ${tokenText(parser, token)} in ${where}`,
  );

/** Consumes the end of the action. */
export const takeRight = (parser: TemplateParser, where: string): true | null => {
  const token = take(parser);
  return token.kind === 'right' ? true : unexpected(parser, token, where);
};

/** Returns whether the token is this punctuation. */
export const isMark = (token: Token, mark: string): boolean =>
  token.kind === 'mark' && token.mark === mark;

/** Runs `parse` one level deeper. Too many levels are a problem of the text. */
export const nested = <T>(parser: TemplateParser, at: number, parse: () => T | null): T | null => {
  if (parser.depth >= MAX_TEMPLATE_NESTING) {
    return refuse(parser, at, `nested more than ${MAX_TEMPLATE_NESTING} levels deep`);
  }
  parser.depth += 1;
  const result = parse();
  parser.depth -= 1;
  return result;
};
