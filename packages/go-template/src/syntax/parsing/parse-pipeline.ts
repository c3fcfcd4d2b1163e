import { checkedCall, parseOperand, type ReadOperand } from './parse-operand.ts';
import type { FunctionCall, Operand, Pipeline } from '../tree/template.ts';
import { MAX_TEMPLATE_NESTING } from '../tree/template-limits.ts';
import {
  isMark,
  peek,
  refuse,
  take,
  takeRight,
  tokenText,
  unexpected,
  type TemplateParser,
} from './template-parser.ts';
import type { Token } from '../lexing/token.ts';

const endsCommand = (token: Token): boolean =>
  token.kind === 'right' || token.kind === 'eof' || isMark(token, '|') || isMark(token, ')');

const readOperands = (parser: TemplateParser): readonly ReadOperand[] | null => {
  const operands: ReadOperand[] = [];
  while (!endsCommand(peek(parser))) {
    const token = peek(parser);
    if (operands.length > 0 && token.glued) return unexpected(parser, token, 'operand');
    const operand = parseOperand(parser, parseStages);
    if (operand === null) return null;
    operands.push(operand);
  }
  return operands;
};

const deepest = (operands: readonly ReadOperand[]): number =>
  operands.reduce((most, { depth }) => Math.max(most, depth), 0);

/** Returns the call of a bare function name, which still takes arguments; null for a call in parentheses. */
const bareCall = ({ operand, first }: ReadOperand): FunctionCall | null =>
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
const updatedSlot = (name: string, first: Operand | undefined): number | undefined =>
  first?.kind === 'variable' && first.slot > 0 && MAP_UPDATERS.has(name) ? first.slot : undefined;

interface Stage {
  readonly callee: FunctionCall;
  readonly given: readonly ReadOperand[];
  readonly piped: ReadOperand | null;
}

const callOf = (parser: TemplateParser, { callee, given, piped }: Stage): Operand | null => {
  for (const bare of given.map(bareCall)) {
    if (bare !== null && checkedCall(parser, bare) === null) return null;
  }
  const operands = (piped === null ? given : [...given, piped]).map(({ operand }) => operand);
  const updates = updatedSlot(callee.name, operands[0]);
  return checkedCall(parser, {
    ...callee,
    arguments: operands,
    piped: piped !== null,
    ...(updates !== undefined && { updates }),
    written: parser.text.slice(callee.at, peek(parser, -1).end),
  });
};

const readCall = (parser: TemplateParser, stage: Stage, first: Token): ReadOperand | null => {
  const depth = Math.max(deepest(stage.given), stage.piped?.depth ?? 0) + 1;
  if (depth > MAX_TEMPLATE_NESTING) {
    return refuse(parser, first.at, `nested more than ${MAX_TEMPLATE_NESTING} levels deep`);
  }
  const operand = callOf(parser, stage);
  return operand && { operand, depth, first };
};

const valueOf = (
  parser: TemplateParser,
  first: ReadOperand,
  given: readonly ReadOperand[],
  stage: number,
): ReadOperand | null => {
  const { at } = first.first;
  if (stage > 1) return refuse(parser, at, `non executable command in pipeline stage ${stage}`);
  const { operand } = first;
  if (given.length > 0) {
    const written = tokenText(parser, first.first);
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
      ? unexpected(parser, token, 'command')
      : refuse(
          parser,
          token.at,
          stage === 1 ? 'missing value for command' : `missing command in pipeline stage ${stage}`,
        );
  }
  const callee = bareCall(first);
  return callee === null
    ? valueOf(parser, first, given, stage)
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
  if (most === 1) return unexpected(parser, follower, 'pipeline');
  if (second.kind !== 'variable') return unexpected(parser, second, 'range');
  if (!isAssignment(sign)) {
    return isMark(sign, ',')
      ? refuse(parser, sign.at, 'too many declarations in range')
      : unexpected(parser, sign, 'range');
  }
  parser.next += 4;
  return { names: [first.name, second.name], declares: isMark(sign, ':=') };
};

const slotsOf = (
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
const usedValue = (
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
  const operand = usedValue(parser, value, targets);
  const slots = operand && slotsOf(parser, targets, at);
  return slots && { value: operand, targets: slots, at };
};
