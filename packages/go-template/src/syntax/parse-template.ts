import {
  KEYWORDS,
  parseNested,
  parsePipeline,
  peek,
  refuse,
  take,
  takeRight,
  type TemplateParser,
  formatToken,
  refuseToken,
} from './parse-pipeline.ts';
import {
  type Branch,
  MAX_TEMPLATE_CHARS,
  type ParsedTemplate,
  type ParsedText,
  type Pipeline,
  type TemplateNode,
  type TemplateError,
} from './template.ts';
import { lexTemplate, type Token } from './lex-template.ts';

/**
 * The nodes of a template and the token that ends them: `{{end}}`, `{{else ...}}` (consumed up to `else`) or the end of the
 * text.
 */
interface NodesUntil {
  readonly nodes: readonly TemplateNode[];
  readonly end: 'end' | 'else' | 'eof';
  readonly token: Token;
}

type Keyword = 'if' | 'with' | 'range' | 'break' | 'continue' | 'template' | 'block' | 'define';

const parseNodes = (parser: TemplateParser): NodesUntil | null => {
  const nodes: TemplateNode[] = [];
  for (;;) {
    const token = take(parser);
    if (token.kind === 'eof') return { nodes, end: 'eof', token };
    if (token.kind === 'text') {
      nodes.push({ kind: 'text', text: token.text });
      continue;
    }
    const word = peek(parser);
    if (word.kind === 'word' && (word.word === 'end' || word.word === 'else')) {
      take(parser);
      return { nodes, end: word.word, token: word };
    }
    const node = parseAction(parser);
    if (node === null) return null;
    if (node.kind !== 'text') nodes.push(node);
  }
};

/** Parses the nodes of a block up to its end. */
const parseBody = (parser: TemplateParser, at: number, takesElse: boolean): NodesUntil | null => {
  const body = parseNested(parser, at, () => parseNodes(parser));
  if (body === null) return null;
  if (body.end === 'eof') return refuse(parser, at, 'unexpected EOF: this block has no {{end}}');
  if (body.end === 'else' && !takesElse)
    return refuse(parser, body.token.at, 'unexpected {{else}}');
  if (body.end === 'end' && takeRight(parser, 'end') === null) return null;
  return body;
};

/** Parses the part after `{{else}}` up to `{{end}}`. */
const parseElse = (parser: TemplateParser, at: number): readonly TemplateNode[] | null =>
  takeRight(parser, 'else') && (parseBody(parser, at, false)?.nodes ?? null);

const parseBranch = (
  parser: TemplateParser,
  kind: 'if' | 'with',
  at: number,
): { branch: Branch; end: NodesUntil['end'] } | null => {
  const pipeline = parsePipeline(parser, kind);
  if (pipeline === null) return null;
  const body = parseBody(parser, at, true);
  return body && { branch: { pipeline, body: body.nodes }, end: body.end };
};

const parseBranches = (
  parser: TemplateParser,
  kind: 'if' | 'with',
  at: number,
): TemplateNode | null => {
  const outer = parser.variables.length;
  const branches: Branch[] = [];
  let otherwise: readonly TemplateNode[] | null = [];
  for (;;) {
    const read = parseBranch(parser, kind, at);
    if (read === null) return null;
    branches.push(read.branch);
    if (read.end === 'end') break;
    const follower = peek(parser);
    if (follower.kind !== 'word' || follower.word !== kind) {
      otherwise = parseElse(parser, at);
      break;
    }
    take(parser);
  }
  parser.variables.length = outer;
  return otherwise && { kind, branches, otherwise };
};

const parseRange = (parser: TemplateParser, at: number): TemplateNode | null => {
  const outer = parser.variables.length;
  const pipeline = parsePipeline(parser, 'range', 2);
  if (pipeline === null) return null;
  parser.ranges += 1;
  const body = parseBody(parser, at, true);
  parser.ranges -= 1;
  if (body === null) return null;
  const otherwise = body.end === 'else' ? parseElse(parser, at) : [];
  parser.variables.length = outer;
  return otherwise && { kind: 'range', pipeline, body: body.nodes, otherwise };
};

const parseJump = (
  parser: TemplateParser,
  kind: 'break' | 'continue',
  at: number,
): TemplateNode | null => {
  if (parser.ranges === 0) return refuse(parser, at, `{{${kind}}} outside {{range}}`);
  return takeRight(parser, kind) && { kind };
};

const takeName = (parser: TemplateParser, where: string): string | null => {
  const token = take(parser);
  if (token.kind === 'literal' && typeof token.value === 'string') return token.value;
  return refuseToken(parser, token, `${where}, which takes a quoted name`);
};

const parseUse = (parser: TemplateParser, at: number): TemplateNode | null => {
  const name = takeName(parser, 'template');
  if (name === null) return null;
  if (!parser.uses.has(name)) parser.uses.set(name, at);
  if (peek(parser).kind === 'right') {
    take(parser);
    return { kind: 'template', name, at };
  }
  const pipeline = parsePipeline(parser, 'template');
  return pipeline && { kind: 'template', name, pipeline, at };
};

/** Parses a body with its own variables and registers it under a name. */
const define = (parser: TemplateParser, name: string, at: number): true | null => {
  const { variables, ranges } = parser;
  parser.variables = ['$'];
  parser.ranges = 0;
  const body = parseBody(parser, at, false);
  parser.variables = variables;
  parser.ranges = ranges;
  if (body === null) return null;
  if (parser.definitions.has(name)) {
    return refuse(parser, at, `multiple definition of template ${JSON.stringify(name)}`);
  }
  parser.definitions.set(name, body.nodes);
  return true;
};

/** A definition produces no output. */
const NO_NODE: TemplateNode = { kind: 'text', text: '' };

const parseDefine = (parser: TemplateParser, at: number): TemplateNode | null => {
  if (parser.depth > 0) return refuse(parser, at, 'unexpected {{define}} inside a block');
  const name = takeName(parser, 'define');
  if (name === null || takeRight(parser, 'define') === null) return null;
  return define(parser, name, at) && NO_NODE;
};

const parseBlock = (parser: TemplateParser, at: number): TemplateNode | null => {
  const name = takeName(parser, 'block');
  if (name === null) return null;
  const pipeline = parsePipeline(parser, 'block');
  if (pipeline === null || define(parser, name, at) === null) return null;
  return { kind: 'template', name, pipeline, at };
};

const CONTROLS: {
  readonly [K in Keyword]: (parser: TemplateParser, at: number) => TemplateNode | null;
} = {
  if: (parser, at) => parseBranches(parser, 'if', at),
  with: (parser, at) => parseBranches(parser, 'with', at),
  range: parseRange,
  break: (parser, at) => parseJump(parser, 'break', at),
  continue: (parser, at) => parseJump(parser, 'continue', at),
  template: parseUse,
  block: parseBlock,
  define: parseDefine,
};

const isControl = (word: string): word is Keyword =>
  KEYWORDS.has(word) && Object.hasOwn(CONTROLS, word);

function parseAction(parser: TemplateParser): TemplateNode | null {
  const token = peek(parser);
  if (token.kind === 'word' && isControl(token.word)) {
    take(parser);
    return CONTROLS[token.word](parser, token.at);
  }
  const pipeline = parsePipeline(parser, 'command');
  return pipeline && { kind: 'action', pipeline };
}

/** Parses the whole text. */
const parseAll = (parser: TemplateParser): readonly TemplateNode[] | null => {
  const all = parseNodes(parser);
  if (all === null || all.end === 'eof') return all && all.nodes;
  return refuse(
    parser,
    all.token.at,
    `unexpected {{${formatToken(parser, all.token).slice(1, -1)}}}`,
  );
};

const PLAIN_TEXT: ParsedText = Object.freeze({ ok: true, value: undefined });

/** Returns the place of a character, line and column counted from 1. */
export const findPlace = (text: string, at: number): Omit<TemplateError, 'message'> => {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: at - lineStart + 1 };
};

const createParseFailure = (text: string, at: number, message: string): ParsedTemplate => ({
  ok: false,
  error: { ...findPlace(text, at), message },
});

/** Returns the pipeline of nodes that are one printing action and nothing else. */
const findSinglePipeline = ([node, second]: readonly TemplateNode[]): Pipeline | undefined =>
  second === undefined && node?.kind === 'action' && node.pipeline.targets.length === 0
    ? node.pipeline
    : undefined;

const findUnknownUse = (parser: TemplateParser): { name: string; at: number } | undefined => {
  for (const [name, at] of parser.uses) {
    if (!parser.definitions.has(name)) return { name, at };
  }
  return undefined;
};

/**
 * Parses a text in the syntax of Go's `text/template` into a closed tree. Unknown functions, wrong numbers of arguments,
 * undeclared variables and undefined templates are problems of the text. Bounded in length and depth; never throws.
 *
 * @spec §2.7
 */
export const parseTemplate = (text: string): ParsedTemplate => {
  if (text.length > MAX_TEMPLATE_CHARS) {
    return createParseFailure(text, 0, `template has more than ${MAX_TEMPLATE_CHARS} characters`);
  }
  const lexed = lexTemplate(text);
  if (!lexed.ok) return createParseFailure(text, lexed.at, lexed.message);
  const parser: TemplateParser = {
    text,
    tokens: lexed.tokens,
    next: 0,
    depth: 0,
    ranges: 0,
    variables: ['$'],
    definitions: new Map(),
    uses: new Map(),
    problem: undefined,
  };
  const nodes = parseAll(parser);
  if (nodes === null) {
    const { at, message } = parser.problem ?? { at: 0, message: 'not a template' };
    return createParseFailure(text, at, message);
  }
  const missing = findUnknownUse(parser);
  if (missing !== undefined) {
    return createParseFailure(
      text,
      missing.at,
      `template ${JSON.stringify(missing.name)} not defined`,
    );
  }
  const single = findSinglePipeline(nodes);
  const { definitions } = parser;
  return { ok: true, value: { text, nodes, ...(single && { single }), definitions } };
};

/** Returns whether a text is a template: it has `{{`. Any other text is literal. @spec §2.7 */
export const isTemplate = (text: string): boolean => text.includes('{{');

/** Parses a text that may be a template. @spec §2.7 */
export const parseText = (text: string): ParsedText =>
  isTemplate(text) ? parseTemplate(text) : PLAIN_TEXT;
