import type { CatalogTool } from './catalog-tool.ts';
import { EXPOSED_PREFIX } from './exposed-name.ts';
import type { JsonObject } from './json.ts';
import { wordsOf } from './words.ts';

/** The parts of a tool that a query is compared with. */
export const FIELDS = ['name', 'summary', 'arguments'] as const;

/** How many of a tool's arguments are read. */
const MAX_ARGUMENTS = 64;

/** How many UTF-16 code units of an argument's description are read: the first sentence or two. */
const MAX_ARGUMENT_CHARACTERS = 160;

/** How many words of one field count. */
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

/** The prefix that all exposed names share says nothing about a tool. */
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

/** What was read of a tool, kept with the schema that it shares with its later selves. */
interface ReadTool {
  readonly name: string;
  readonly summary: string;
  readonly words: ToolWords;
}

const readBySchema = new WeakMap<JsonObject, ReadTool>();

/**
 * The words of a tool by field. A tool that a new snapshot takes over, in whatever place, is not read again: its
 * schema is the same object.
 */
export function toolWords(tool: CatalogTool): ToolWords {
  const { name, summary, inputSchema } = tool;
  const known = readBySchema.get(inputSchema);
  if (known?.name === name && known.summary === summary) return known.words;
  const words = readWords(tool);
  readBySchema.set(inputSchema, { name, summary, words });
  return words;
}
