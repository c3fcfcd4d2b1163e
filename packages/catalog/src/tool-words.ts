import type { JsonObject } from '@gateway/call-contract';
import type { CatalogTool } from './catalog-tool.ts';
import { EXPOSED_PREFIX } from './exposed-name.ts';
import { wordsOf } from './words.ts';

/** The parts of a tool that a query is compared with. */
export const FIELDS = ['name', 'summary', 'arguments'] as const;

/** Maximum number of arguments of a tool that are indexed. */
const MAX_ARGUMENTS = 64;

/** Length of the indexed part of an argument's description, in UTF-16 code units: one or two sentences. */
const MAX_ARGUMENT_CHARACTERS = 160;

/** Maximum number of words per field. */
const MAX_FIELD_WORDS = 512;

/** The words of one tool, field after field, repeats included; field `f` ends before `words[ends[f]]`. */
export interface ToolWords {
  readonly words: readonly string[];
  readonly ends: readonly number[];
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function argumentTexts({ inputSchema }: CatalogTool): readonly string[] {
  const properties = Object.hasOwn(inputSchema, 'properties')
    ? inputSchema['properties']
    : undefined;
  if (!isObject(properties)) return [];
  const texts: string[] = [];
  for (const name of Object.keys(properties).slice(0, MAX_ARGUMENTS)) {
    const schema = properties[name];
    texts.push(name);
    if (isObject(schema) && typeof schema['description'] === 'string') {
      texts.push(schema['description'].slice(0, MAX_ARGUMENT_CHARACTERS));
    }
  }
  return texts;
}

/** The prefix of all exposed names is not indexed. */
const ownName = ({ name }: CatalogTool): string =>
  name.startsWith(`${EXPOSED_PREFIX}_`) ? name.slice(EXPOSED_PREFIX.length + 1) : name;

const fieldTexts: {
  readonly [F in (typeof FIELDS)[number]]: (tool: CatalogTool) => readonly string[];
} = {
  name: (tool) => [ownName(tool)],
  summary: (tool) => [tool.summary],
  arguments: argumentTexts,
};

function readWords(tool: CatalogTool): ToolWords {
  const words: string[] = [];
  const ends: number[] = [];
  for (const field of FIELDS) {
    const start = words.length;
    for (const text of fieldTexts[field](tool)) words.push(...wordsOf(text));
    words.length = Math.min(words.length, start + MAX_FIELD_WORDS);
    ends.push(words.length);
  }
  return { words, ends };
}

/** Words of a tool, cached by its schema, which later versions of the tool share. */
interface ReadTool {
  readonly name: string;
  readonly summary: string;
  readonly words: ToolWords;
}

const readBySchema = new WeakMap<JsonObject, ReadTool>();

/**
 * Returns the words of a tool by field. They are cached by its schema, which stays the same object when a new snapshot reuses the tool.
 */
export function toolWords(tool: CatalogTool): ToolWords {
  const { name, summary, inputSchema } = tool;
  const known = readBySchema.get(inputSchema);
  if (known?.name === name && known.summary === summary) return known.words;
  const words = readWords(tool);
  readBySchema.set(inputSchema, { name, summary, words });
  return words;
}
