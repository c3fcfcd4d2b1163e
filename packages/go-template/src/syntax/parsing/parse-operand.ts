import type { FunctionCall, Operand } from '../tree/template.ts';
import type { PathStep } from '../tree/path.ts';
import { templateFunctionArity } from '../arities/template-functions.ts';
import {
  isMark,
  nested,
  peek,
  refuse,
  take,
  tokenText,
  unexpected,
  type TemplateParser,
} from './template-parser.ts';
import type { Token } from '../lexing/token.ts';

/** A parsed operand with the nesting depth of its calls. */
export interface ReadOperand {
  readonly operand: Operand;
  readonly depth: number;
  /** The token that it starts with. */
  readonly first: Token;
}

/** Parses a parenthesized pipeline after the opening parenthesis. */
export type ParseGroup = (parser: TemplateParser) => ReadOperand | null;

const CONSTANTS = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['nil', null],
]);

/** The keywords of blocks and jumps; no function has such a name. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'range',
  'template',
  'with',
]);

const variableOf = (
  parser: TemplateParser,
  token: Token & { kind: 'variable' },
): Operand | null => {
  const slot = parser.variables.lastIndexOf(token.name);
  if (slot === -1) return refuse(parser, token.at, `undefined variable "${token.name}"`);
  return { kind: 'variable', slot };
};

const wordOf = (parser: TemplateParser, token: Token & { kind: 'word' }): Operand | null => {
  const constant = CONSTANTS.get(token.word);
  if (constant !== undefined) return { kind: 'literal', value: constant };
  if (KEYWORDS.has(token.word)) return unexpected(parser, token, 'operand');
  if (templateFunctionArity(token.word) === undefined) {
    return refuse(parser, token.at, `function ${tokenText(parser, token)} not defined`);
  }
  const { word, at } = token;
  return { kind: 'call', name: word, arguments: [], piped: false, written: word, at };
};

const groupOf = (
  parser: TemplateParser,
  token: Token,
  parseGroup: ParseGroup,
): ReadOperand | null => {
  const group = nested(parser, token.at, () => parseGroup(parser));
  if (group === null) return null;
  const close = take(parser);
  if (isMark(close, ')')) return { ...group, first: token };
  return close.kind === 'right' || close.kind === 'eof'
    ? refuse(parser, token.at, 'unclosed left paren')
    : unexpected(parser, close, 'parenthesized pipeline');
};

const leaf = (operand: Operand | null, first: Token): ReadOperand | null =>
  operand && { operand, depth: 0, first };

/** Parses an operand without the steps that follow it. */
const termOf = (parser: TemplateParser, parseGroup: ParseGroup): ReadOperand | null => {
  const token = take(parser);
  if (token.kind === 'dot') return leaf({ kind: 'dot' }, token);
  if (token.kind === 'literal') return leaf({ kind: 'literal', value: token.value }, token);
  if (token.kind === 'variable') return leaf(variableOf(parser, token), token);
  if (token.kind === 'word') return leaf(wordOf(parser, token), token);
  if (token.kind === 'step') {
    parser.next -= 1;
    return leaf({ kind: 'dot' }, token);
  }
  if (isMark(token, '(')) return groupOf(parser, token, parseGroup);
  return unexpected(parser, token, 'operand');
};

const isConstant = ({ operand }: ReadOperand): boolean => operand.kind === 'literal';

/** Refuses a wrong number of arguments. */
export const checkedCall = (parser: TemplateParser, call: FunctionCall): FunctionCall | null => {
  const [fewest, most] = templateFunctionArity(call.name) ?? [0, undefined];
  const got = call.arguments.length;
  if (got >= fewest && (most === undefined || got <= most)) return call;
  const range = most === undefined ? `at least ${fewest}` : `between ${fewest} and ${most}`;
  const want = fewest === most ? String(fewest) : range;
  return refuse(parser, call.at, `wrong number of args for ${call.name}: want ${want} got ${got}`);
};

/** Parses one operand with the steps that follow it: `.a.b[0]`, `$x.a`, `(f .x).y`, `"text"`. */
export const parseOperand = (
  parser: TemplateParser,
  parseGroup: ParseGroup,
): ReadOperand | null => {
  const term = termOf(parser, parseGroup);
  if (term === null) return null;
  const steps: PathStep[] = [];
  let end = 0;
  for (let token = peek(parser); token.kind === 'step'; token = peek(parser)) {
    if (!token.glued && token !== term.first) break;
    if (isConstant(term))
      return refuse(parser, token.at, `unexpected ${tokenText(parser, token)} after term`);
    steps.push(token.step);
    end = take(parser).end;
  }
  if (steps.length === 0) return term;
  const { operand } = term;
  const root = operand.kind === 'call' ? checkedCall(parser, operand) : operand;
  if (root === null) return null;
  const { at } = term.first;
  const written = parser.text.slice(at, end);
  return { ...term, operand: { kind: 'chain', root, steps, written, at } };
};
