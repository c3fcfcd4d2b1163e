import { lexTemplate } from '../lexing/lex-template.ts';
import { parseAll } from './parse-nodes.ts';
import type {
  ParsedTemplate,
  ParsedText,
  Pipeline,
  TemplateNode,
  TemplateProblem,
} from '../tree/template.ts';
import { MAX_TEMPLATE_CHARS } from '../tree/template-limits.ts';
import type { TemplateParser } from './template-parser.ts';

const PLAIN_TEXT: ParsedText = Object.freeze({ ok: true });

/** Returns the place of a character, line and column counted from 1. */
export const placeOf = (text: string, at: number): Pick<TemplateProblem, 'line' | 'column'> => {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: at - lineStart + 1 };
};

const refusedAt = (text: string, at: number, message: string): ParsedTemplate => ({
  ok: false,
  ...placeOf(text, at),
  message,
});

/** Returns the pipeline of nodes that are one printing action and nothing else. */
const singleOf = ([node, second]: readonly TemplateNode[]): Pipeline | undefined =>
  second === undefined && node?.kind === 'action' && node.pipeline.targets.length === 0
    ? node.pipeline
    : undefined;

const undefinedUse = (parser: TemplateParser): { name: string; at: number } | undefined => {
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
    return refusedAt(text, 0, `template has more than ${MAX_TEMPLATE_CHARS} characters`);
  }
  const lexed = lexTemplate(text);
  if (!lexed.ok) return refusedAt(text, lexed.at, lexed.message);
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
    return refusedAt(text, at, message);
  }
  const missing = undefinedUse(parser);
  if (missing !== undefined) {
    return refusedAt(text, missing.at, `template ${JSON.stringify(missing.name)} not defined`);
  }
  const single = singleOf(nodes);
  const { definitions } = parser;
  return { ok: true, template: { text, nodes, ...(single && { single }), definitions } };
};

/** Returns whether a text is a template: it has `{{`. Any other text is literal. @spec §2.7 */
export const isTemplate = (text: string): boolean => text.includes('{{');

/** Parses a text that may be a template. @spec §2.7 */
export const parseText = (text: string): ParsedText =>
  isTemplate(text) ? parseTemplate(text) : PLAIN_TEXT;

/** Returns the reason that a text cannot be rendered; undefined when it can, or when it is not a template. */
export const templateProblem = (text: string): TemplateProblem | undefined => {
  const parsed = parseText(text);
  if (parsed.ok) return undefined;
  const { line, column, message } = parsed;
  return { line, column, message };
};
