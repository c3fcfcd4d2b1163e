import { isJsonObject } from '@gateway/call-contract';
import type { CatalogTool } from './catalog-tool.ts';
import type { ServerBudgets, WordBudget } from './word-budget.ts';
import { wordsOf } from './words.ts';

/** The parts of a tool that a query is compared with. */
export const FIELDS = ['name', 'server', 'summary', 'description', 'arguments', 'details'] as const;

/** One of {@link FIELDS}. */
export type Field = (typeof FIELDS)[number];

/** Maximum number of arguments of a tool that are indexed. */
const MAX_ARGUMENTS = 64;

/** Length of the indexed part of an argument's description, in UTF-16 code units: one or two sentences. */
const MAX_ARGUMENT_CHARACTERS = 160;

/** Maximum number of words per field. */
const MAX_FIELD_WORDS = 512;

/** The words of one tool by field, repeats included. */
export type ToolWords = Readonly<Record<Field, readonly string[]>>;

interface Argument {
  readonly name: string;
  readonly description: string;
}

const describedArgument = (name: string, schema: unknown): Argument => {
  const text = isJsonObject(schema) ? schema['description'] : undefined;
  return {
    name,
    description: typeof text === 'string' ? text.slice(0, MAX_ARGUMENT_CHARACTERS) : '',
  };
};

function argumentsOf({ inputSchema }: CatalogTool): readonly Argument[] {
  const properties = Object.hasOwn(inputSchema, 'properties')
    ? inputSchema['properties']
    : undefined;
  if (!isJsonObject(properties)) return [];
  return Object.keys(properties)
    .slice(0, MAX_ARGUMENTS)
    .map((name) => describedArgument(name, properties[name]));
}

/** The name without the parts that are the same for all tools of an owner. */
export function ownName({ kind, name, providers }: CatalogTool): string {
  const [provider] = providers;
  if (provider !== undefined) return provider.serverTool;
  return kind === 'tool' ? name : name.slice(name.indexOf('_') + 1);
}

/** The first line of a description, whole, and the rest. */
function splitDescription(description: string): readonly [string, string] {
  const text = description.trimStart();
  const end = text.indexOf('\n');
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end)];
}

/** Returns the texts of a tool by field. */
export function toolTexts(tool: CatalogTool): Readonly<Record<Field, readonly string[]>> {
  const [first, rest] = splitDescription(tool.description);
  const args = argumentsOf(tool);
  return {
    name: [ownName(tool), tool.title ?? ''],
    server: [tool.server ?? ''],
    summary: [first],
    description: [rest],
    arguments: args.map(({ name }) => name),
    details: args.map(({ description }) => description),
  };
}

const wordsOfAll = (texts: readonly string[], budget: WordBudget | undefined): readonly string[] =>
  texts.flatMap((text) => wordsOf(text, budget)).slice(0, MAX_FIELD_WORDS);

/** Returns the words of a tool by field, within the budgets of its server. */
export function toolWords(tool: CatalogTool, budgets?: ServerBudgets): ToolWords {
  const texts = toolTexts(tool);
  return {
    name: wordsOfAll(texts.name, budgets?.names),
    server: wordsOfAll(texts.server, budgets?.names),
    summary: wordsOfAll(texts.summary, budgets?.texts),
    description: wordsOfAll(texts.description, budgets?.texts),
    arguments: wordsOfAll(texts.arguments, budgets?.texts),
    details: wordsOfAll(texts.details, budgets?.texts),
  };
}
