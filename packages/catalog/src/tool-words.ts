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

/** The words of one tool, counted. Word `i` occurs `counts[i * FIELDS.length + f]` times in field `f`. */
export interface ToolWords {
  readonly words: readonly string[];
  readonly counts: readonly number[];
  /** How many words each field has, repeats included. */
  readonly lengths: readonly number[];
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

function counted(fields: readonly (readonly string[])[]): ToolWords {
  const indexOf = new Map<string, number>();
  for (const words of fields) {
    for (const word of words) if (!indexOf.has(word)) indexOf.set(word, indexOf.size);
  }
  const counts = new Array<number>(indexOf.size * FIELDS.length).fill(0);
  for (const [field, words] of fields.entries()) {
    for (const word of words) {
      const at = (indexOf.get(word) ?? 0) * FIELDS.length + field;
      counts[at] = (counts[at] ?? 0) + 1;
    }
  }
  return { words: [...indexOf.keys()], counts, lengths: fields.map((words) => words.length) };
}

/** What was counted for a tool, kept with the schema that it shares with its later selves. */
interface Counted {
  readonly name: string;
  readonly summary: string;
  readonly words: ToolWords;
}

const countedBySchema = new WeakMap<JsonObject, Counted>();

/**
 * The words of a tool by field. A tool that a new snapshot takes over, in whatever place, is not counted again: its
 * schema is the same object.
 */
export function toolWords(tool: CatalogTool): ToolWords {
  const { name, summary, inputSchema } = tool;
  const known = countedBySchema.get(inputSchema);
  if (known?.name === name && known.summary === summary) return known.words;
  const words = counted(
    FIELDS.map((field) => fieldTexts[field](tool).flatMap(wordsOf).slice(0, MAX_FIELD_WORDS)),
  );
  countedBySchema.set(inputSchema, { name, summary, words });
  return words;
}
