import {
  type FunctionCall,
  MAX_TEMPLATE_NESTING,
  type Operand,
  type PathStep,
  type Pipeline,
  type TemplateNode,
} from './template.ts';
import type { Token } from './lex-template.ts';
import { findFunctionArity } from './function-arities.ts';

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
export const formatToken = (parser: TemplateParser, token: Token): string => {
  if (token.kind === 'eof') return 'EOF';
  if (token.kind === 'literal' && typeof token.value === 'string') return '"…"';
  const written = parser.text.slice(token.at, Math.min(token.end, token.at + LONGEST_SHOWN));
  return token.kind === 'right' ? '"}}"' : JSON.stringify(written);
};

/** Refuses a token that is not allowed at its position. */
export const refuseToken = (parser: TemplateParser, token: Token, where: string): null =>
  refuse(
    parser,
    token.at,
    token.kind === 'eof'
      ? 'unexpected EOF'
      : `unexpected ${formatToken(parser, token)} in ${where}`,
  );

/** Consumes the end of the action. */
export const takeRight = (parser: TemplateParser, where: string): true | null => {
  const token = take(parser);
  return token.kind === 'right' ? true : refuseToken(parser, token, where);
};

const isMark = (token: Token, mark: string): boolean =>
  token.kind === 'mark' && token.mark === mark;

/** Runs `parse` one level deeper. Too many levels are a problem of the text. */
export const parseNested = <T>(
  parser: TemplateParser,
  at: number,
  parse: () => T | null,
): T | null => {
  if (parser.depth >= MAX_TEMPLATE_NESTING) {
    return refuse(parser, at, `nested more than ${MAX_TEMPLATE_NESTING} levels deep`);
  }
  parser.depth += 1;
  const result = parse();
  parser.depth -= 1;
  return result;
};

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

const parseVariable = (
  parser: TemplateParser,
  token: Token & { kind: 'variable' },
): Operand | null => {
  const slot = parser.variables.lastIndexOf(token.name);
  if (slot === -1) return refuse(parser, token.at, `undefined variable "${token.name}"`);
  return { kind: 'variable', slot };
};

const parseWord = (parser: TemplateParser, token: Token & { kind: 'word' }): Operand | null => {
  const constant = CONSTANTS.get(token.word);
  if (constant !== undefined) return { kind: 'literal', value: constant };
  if (KEYWORDS.has(token.word)) return refuseToken(parser, token, 'operand');
  if (findFunctionArity(token.word) === undefined) {
    return refuse(parser, token.at, `function ${formatToken(parser, token)} not defined`);
  }
  const { word, at } = token;
  return { kind: 'call', name: word, arguments: [], piped: false, written: word, at };
};

const parseOperandGroup = (
  parser: TemplateParser,
  token: Token,
  parseGroup: ParseGroup,
): ReadOperand | null => {
  const group = parseNested(parser, token.at, () => parseGroup(parser));
  if (group === null) return null;
  const close = take(parser);
  if (isMark(close, ')')) return { ...group, first: token };
  return close.kind === 'right' || close.kind === 'eof'
    ? refuse(parser, token.at, 'unclosed left paren')
    : refuseToken(parser, close, 'parenthesized pipeline');
};

const createLeaf = (operand: Operand | null, first: Token): ReadOperand | null =>
  operand && { operand, depth: 0, first };

/** Parses an operand without the steps that follow it. */
const parseTerm = (parser: TemplateParser, parseGroup: ParseGroup): ReadOperand | null => {
  const token = take(parser);
  if (token.kind === 'dot') return createLeaf({ kind: 'dot' }, token);
  if (token.kind === 'literal') return createLeaf({ kind: 'literal', value: token.value }, token);
  if (token.kind === 'variable') return createLeaf(parseVariable(parser, token), token);
  if (token.kind === 'word') return createLeaf(parseWord(parser, token), token);
  if (token.kind === 'step') {
    parser.next -= 1;
    return createLeaf({ kind: 'dot' }, token);
  }
  if (isMark(token, '(')) return parseOperandGroup(parser, token, parseGroup);
  return refuseToken(parser, token, 'operand');
};

const isConstant = ({ operand }: ReadOperand): boolean => operand.kind === 'literal';

/** Refuses a wrong number of arguments. */
const checkCall = (parser: TemplateParser, call: FunctionCall): FunctionCall | null => {
  const [fewest, most] = findFunctionArity(call.name) ?? [0, undefined];
  const got = call.arguments.length;
  if (got >= fewest && (most === undefined || got <= most)) return call;
  const range = most === undefined ? `at least ${fewest}` : `between ${fewest} and ${most}`;
  const want = fewest === most ? String(fewest) : range;
  return refuse(parser, call.at, `wrong number of args for ${call.name}: want ${want} got ${got}`);
};

/** Parses one operand with the steps that follow it: `.a.b[0]`, `$x.a`, `(f .x).y`, `"text"`. */
const parseOperand = (parser: TemplateParser, parseGroup: ParseGroup): ReadOperand | null => {
  const term = parseTerm(parser, parseGroup);
  if (term === null) return null;
  const steps: PathStep[] = [];
  let end = 0;
  for (let token = peek(parser); token.kind === 'step'; token = peek(parser)) {
    if (!token.glued && token !== term.first) break;
    if (isConstant(term))
      return refuse(parser, token.at, `unexpected ${formatToken(parser, token)} after term`);
    steps.push(token.step);
    end = take(parser).end;
  }
  if (steps.length === 0) return term;
  const { operand } = term;
  const root = operand.kind === 'call' ? checkCall(parser, operand) : operand;
  if (root === null) return null;
  const { at } = term.first;
  const written = parser.text.slice(at, end);
  return { ...term, operand: { kind: 'chain', root, steps, written, at } };
};

const isCommandEnd = (token: Token): boolean =>
  token.kind === 'right' || token.kind === 'eof' || isMark(token, '|') || isMark(token, ')');

const readOperands = (parser: TemplateParser): readonly ReadOperand[] | null => {
  const operands: ReadOperand[] = [];
  while (!isCommandEnd(peek(parser))) {
    const token = peek(parser);
    if (operands.length > 0 && token.glued) return refuseToken(parser, token, 'operand');
    const operand = parseOperand(parser, parseStages);
    if (operand === null) return null;
    operands.push(operand);
  }
  return operands;
};

const computeMaxDepth = (operands: readonly ReadOperand[]): number =>
  operands.reduce((most, { depth }) => Math.max(most, depth), 0);

/** Returns the call of a bare function name, which still takes arguments; null for a call in parentheses. */
const findBareCall = ({ operand, first }: ReadOperand): FunctionCall | null =>
  operand.kind === 'call' && first.kind === 'word' ? operand : null;

/** The functions that change their first argument, a map, in Sprig. */
const MAP_UPDATERS: ReadonlySet<string> = new Set([
  'set',
  'unset',
  'merge',
  'mergeOverwrite',
  'mustMerge',
  'mustMergeOverwrite',
]);

/** Returns the slot of the declared variable that a call updates. Data are never changed, so `$` is not one. */
const findUpdateSlot = (name: string, first: Operand | undefined): number | undefined =>
  first?.kind === 'variable' && first.slot > 0 && MAP_UPDATERS.has(name) ? first.slot : undefined;

interface Stage {
  readonly callee: FunctionCall;
  readonly given: readonly ReadOperand[];
  readonly piped: ReadOperand | null;
}

const createCall = (parser: TemplateParser, { callee, given, piped }: Stage): Operand | null => {
  for (const bare of given.map(findBareCall)) {
    if (bare !== null && checkCall(parser, bare) === null) return null;
  }
  const operands = (piped === null ? given : [...given, piped]).map(({ operand }) => operand);
  const updates = findUpdateSlot(callee.name, operands[0]);
  return checkCall(parser, {
    ...callee,
    arguments: operands,
    piped: piped !== null,
    ...(updates !== undefined && { updates }),
    written: parser.text.slice(callee.at, peek(parser, -1).end),
  });
};

const readCall = (parser: TemplateParser, stage: Stage, first: Token): ReadOperand | null => {
  const depth = Math.max(computeMaxDepth(stage.given), stage.piped?.depth ?? 0) + 1;
  if (depth > MAX_TEMPLATE_NESTING) {
    return refuse(parser, first.at, `nested more than ${MAX_TEMPLATE_NESTING} levels deep`);
  }
  const operand = createCall(parser, stage);
  return operand && { operand, depth, first };
};

const resolveValue = (
  parser: TemplateParser,
  first: ReadOperand,
  given: readonly ReadOperand[],
  stage: number,
): ReadOperand | null => {
  const { at } = first.first;
  if (stage > 1) return refuse(parser, at, `non executable command in pipeline stage ${stage}`);
  const { operand } = first;
  if (given.length > 0) {
    const written = formatToken(parser, first.first);
    return refuse(
      parser,
      at,
      `${operand.kind === 'chain' ? operand.written : written} is no function and takes no arguments`,
    );
  }
  if (operand.kind === 'literal' && operand.value === null) {
    return refuse(parser, at, 'nil is not a command');
  }
  return first;
};

const readCommand = (
  parser: TemplateParser,
  piped: ReadOperand | null,
  stage: number,
): ReadOperand | null => {
  const operands = readOperands(parser);
  if (operands === null) return null;
  const [first, ...given] = operands;
  if (first === undefined) {
    const token = peek(parser);
    return token.kind === 'eof'
      ? refuseToken(parser, token, 'command')
      : refuse(
          parser,
          token.at,
          stage === 1 ? 'missing value for command' : `missing command in pipeline stage ${stage}`,
        );
  }
  const callee = findBareCall(first);
  return callee === null
    ? resolveValue(parser, first, given, stage)
    : readCall(parser, { callee, given, piped }, first.first);
};

/** Reads the stages of a pipeline up to its end, which it leaves. Each stage becomes the last argument of the next. */
function parseStages(parser: TemplateParser): ReadOperand | null {
  let value: ReadOperand | null = null;
  for (let stage = 1; ; stage += 1) {
    value = readCommand(parser, value, stage);
    if (value === null) return null;
    if (!isMark(peek(parser), '|')) return value;
    take(parser);
  }
}

/** The variables in front of `:=` or `=`. */
interface Targets {
  readonly names: readonly string[];
  readonly declares: boolean;
}

const NO_TARGETS: Targets = { names: [], declares: false };

const isAssignment = (token: Token): boolean => isMark(token, ':=') || isMark(token, '=');

const readTargets = (parser: TemplateParser, most: 1 | 2): Targets | null => {
  const first = peek(parser);
  if (first.kind !== 'variable') return NO_TARGETS;
  const follower = peek(parser, 1);
  if (isAssignment(follower)) {
    parser.next += 2;
    return { names: [first.name], declares: isMark(follower, ':=') };
  }
  if (!isMark(follower, ',')) return NO_TARGETS;
  const second = peek(parser, 2);
  const sign = peek(parser, 3);
  if (most === 1) return refuseToken(parser, follower, 'pipeline');
  if (second.kind !== 'variable') return refuseToken(parser, second, 'range');
  if (!isAssignment(sign)) {
    return isMark(sign, ',')
      ? refuse(parser, sign.at, 'too many declarations in range')
      : refuseToken(parser, sign, 'range');
  }
  parser.next += 4;
  return { names: [first.name, second.name], declares: isMark(sign, ':=') };
};

const resolveSlots = (
  parser: TemplateParser,
  { names, declares }: Targets,
  at: number,
): readonly number[] | null => {
  const slots: number[] = [];
  for (const name of names) {
    const slot = declares ? parser.variables.push(name) - 1 : parser.variables.lastIndexOf(name);
    if (slot === -1) return refuse(parser, at, `undefined variable "${name}"`);
    slots.push(slot);
  }
  return slots;
};

/**
 * Refuses to discard the map that `set`, `unset` or `merge` returns where no variable is updated: the template would seem to
 * change a map that stays the same.
 */
const checkValueUse = (
  parser: TemplateParser,
  { operand }: ReadOperand,
  { names }: Targets,
): Operand | null =>
  operand.kind === 'call' &&
  operand.updates === undefined &&
  names.includes('$_') &&
  MAP_UPDATERS.has(operand.name)
    ? refuse(
        parser,
        operand.at,
        `${operand.name} changes only a map in a variable: assign its result, as in {{ $map := ${operand.name} ... }}`,
      )
    : operand;

/** Reads the rest of an action: an optional declaration or assignment, the stages, and the end of the action. */
export const parsePipeline = (
  parser: TemplateParser,
  where: string,
  mostTargets: 1 | 2 = 1,
): Pipeline | null => {
  const { at } = peek(parser);
  const targets = readTargets(parser, mostTargets);
  if (targets === null) return null;
  if (peek(parser).kind === 'right') {
    return refuse(parser, peek(parser).at, `missing value for ${where}`);
  }
  const value = parseStages(parser);
  if (value === null) return null;
  if (takeRight(parser, where) === null) return null;
  const operand = checkValueUse(parser, value, targets);
  const slots = operand && resolveSlots(parser, targets, at);
  return slots && { value: operand, targets: slots, at };
};
