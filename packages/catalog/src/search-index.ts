import { isJsonObject } from '@gateway/call-contract';
import type { CatalogTool } from './catalog-tool.ts';
import {
  createServerBudgets,
  type ServerBudgets,
  type WordBudget,
  listSearchWords,
  listPlainWords,
  type WordList,
  createWordList,
} from './words.ts';
import type { CatalogSnapshot } from './snapshot.ts';

/** The parts of a tool that a query is compared with. */
const FIELDS = ['name', 'server', 'summary', 'description', 'arguments', 'details'] as const;

/** One of {@link FIELDS}. */
export type IndexedField = (typeof FIELDS)[number];

/** Maximum number of arguments of a tool that are indexed. */
const MAX_ARGUMENTS = 64;

/** Length of the indexed part of an argument's description, in UTF-16 code units: one or two sentences. */
const MAX_ARGUMENT_CHARACTERS = 160;

/** Maximum number of words per field. */
const MAX_FIELD_WORDS = 512;

/** The words of one tool by field, repeats included. */
export type ToolWords = Readonly<Record<IndexedField, readonly string[]>>;

interface Argument {
  readonly name: string;
  readonly description: string;
}

const describeArgument = (name: string, schema: unknown): Argument => {
  const text = isJsonObject(schema) ? schema['description'] : undefined;
  return {
    name,
    description: typeof text === 'string' ? text.slice(0, MAX_ARGUMENT_CHARACTERS) : '',
  };
};

function listArguments({ inputSchema }: CatalogTool): readonly Argument[] {
  const properties = Object.hasOwn(inputSchema, 'properties')
    ? inputSchema['properties']
    : undefined;
  if (!isJsonObject(properties)) return [];
  return Object.keys(properties)
    .slice(0, MAX_ARGUMENTS)
    .map((name) => describeArgument(name, properties[name]));
}

/** The name without the parts that are the same for all tools of an owner. */
function readOwnName({ kind, name, providers }: CatalogTool): string {
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

export function readToolTexts(
  tool: CatalogTool,
): Readonly<Record<IndexedField, readonly string[]>> {
  const [first, rest] = splitDescription(tool.description);
  const args = listArguments(tool);
  return {
    name: [readOwnName(tool), tool.title ?? ''],
    server: [tool.server ?? ''],
    summary: [first],
    description: [rest],
    arguments: args.map(({ name }) => name),
    details: args.map(({ description }) => description),
  };
}

const listWords = (texts: readonly string[], budget: WordBudget | undefined): readonly string[] =>
  texts.flatMap((text) => listSearchWords(text, budget)).slice(0, MAX_FIELD_WORDS);

function readToolWords(tool: CatalogTool, budgets?: ServerBudgets): ToolWords {
  const texts = readToolTexts(tool);
  return {
    name: listWords(texts.name, budgets?.names),
    server: listWords(texts.server, budgets?.names),
    summary: listWords(texts.summary, budgets?.texts),
    description: listWords(texts.description, budgets?.texts),
    arguments: listWords(texts.arguments, budgets?.texts),
    details: listWords(texts.details, budgets?.texts),
  };
}

/** How much an occurrence of a word in a field counts. */
interface FieldRule {
  readonly weight: number;
  /** The number of words of a usual field. A constant, not an average: what a tool scores does not depend on the other tools. */
  readonly usual: number;
  /** The effect of the length (b of BM25): 0 is none; with 1, an occurrence in a field twice as long counts half. */
  readonly normalization: number;
}

const FIELD_RULES: Readonly<Record<IndexedField, FieldRule>> = {
  name: { weight: 2.6, usual: 3, normalization: 0.5 },
  server: { weight: 1, usual: 2, normalization: 0.5 },
  summary: { weight: 1.2, usual: 14, normalization: 0.6 },
  description: { weight: 0.5, usual: 40, normalization: 0.6 },
  arguments: { weight: 0.5, usual: 4, normalization: 0.6 },
  details: { weight: 0.3, usual: 20, normalization: 0.6 },
};

/** Saturation of repeated words (k1 of BM25). */
const SATURATION = 1.2;

/** The tools of a segment that have a word, by slot in ascending order, and the value of the word in each, without its rarity. */
export interface SegmentPosting {
  readonly slots: Uint32Array;
  readonly values: Float32Array;
}

/** The words of some tools. Immutable. A tool's slot is its index in `tools`. */
export interface SearchSegment {
  readonly tools: readonly CatalogTool[];
  readonly words: WordList;
  /** By slot, the names as {@link toPlainName} gives them. */
  readonly names: readonly ToolNames[];
  posting(word: string): SegmentPosting | undefined;
  /** Returns the slot of the tool with an exposed name. */
  findSlot(name: string): number | undefined;
}

/** The names of a tool, with `_` between their words. */
interface ToolNames {
  readonly own: string;
  readonly exposed: string;
}

/** Returns a name or a query in the form in which they are compared: the written words with `_` between them. */
export const toPlainName = (name: string): string => listPlainWords(name).join('_');

const computeNames = (tool: CatalogTool): ToolNames => ({
  own: toPlainName(readOwnName(tool)),
  exposed: toPlainName(tool.name),
});

interface Occurrences {
  readonly slots: number[];
  readonly values: number[];
}

const computeOccurrenceWeight = (
  { weight, usual, normalization }: FieldRule,
  length: number,
): number => weight / (1 - normalization + normalization * (length / usual));

const computeSaturation = (weight: number): number =>
  (weight * (SATURATION + 1)) / (weight + SATURATION);

/** The sums of the weighted occurrences of the words of a tool over its fields. */
function computeWordWeights(
  tool: CatalogTool,
  budgets: ServerBudgets | undefined,
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const words = readToolWords(tool, budgets);
  for (const field of FIELDS) {
    const weight = computeOccurrenceWeight(FIELD_RULES[field], words[field].length);
    for (const word of words[field]) weights.set(word, (weights.get(word) ?? 0) + weight);
  }
  return weights;
}

class SegmentBuilder {
  readonly #byWord = new Map<string, Occurrences>();

  add(word: string, slot: number, value: number): void {
    let occurrences = this.#byWord.get(word);
    if (occurrences === undefined) {
      occurrences = { slots: [], values: [] };
      this.#byWord.set(word, occurrences);
    }
    occurrences.slots.push(slot);
    occurrences.values.push(value);
  }

  /** Packs the occurrences of all words into two arrays: arrays for each word would need several times the memory. */
  segment(tools: readonly CatalogTool[], names: readonly ToolNames[]): SearchSegment {
    const all = [...this.#byWord.values()];
    const total = all.reduce((sum, { slots }) => sum + slots.length, 0);
    const slots = new Uint32Array(total);
    const values = new Float32Array(total);
    const ends = new Uint32Array(all.length);
    let end = 0;
    for (const [number, occurrences] of all.entries()) {
      slots.set(occurrences.slots, end);
      values.set(occurrences.values, end);
      end += occurrences.slots.length;
      ends[number] = end;
    }
    const slotsByName = new Map(tools.map(({ name }, slot) => [name, slot]));
    const numbers = new Map([...this.#byWord.keys()].map((word, number) => [word, number]));
    return {
      tools,
      words: createWordList([...numbers.keys()]),
      names,
      findSlot: (name) => slotsByName.get(name),
      posting(word) {
        const number = numbers.get(word);
        if (number === undefined) return undefined;
        const [from, to] = [ends[number - 1] ?? 0, ends[number]];
        return { slots: slots.subarray(from, to), values: values.subarray(from, to) };
      },
    };
  }
}

/** Reads the words of tools. Of each server a bounded number of different words is read. */
function createSegment(tools: readonly CatalogTool[]): SearchSegment {
  const builder = new SegmentBuilder();
  const budgetsOf = createServerBudgets();
  for (const [slot, tool] of tools.entries()) {
    for (const [word, weight] of computeWordWeights(tool, budgetsOf(tool.server)))
      builder.add(word, slot, computeSaturation(weight));
  }
  return builder.segment(tools, tools.map(computeNames));
}

/** A segment, and the slots of the tools to keep. */
export interface SegmentPart {
  readonly segment: SearchSegment;
  readonly keeps: (slot: number) => boolean;
}

/** Joins parts of segments, without reading the tools again. The tools stay in the order of the parts and of their slots. */
function joinSegments(parts: readonly SegmentPart[]): SearchSegment {
  const builder = new SegmentBuilder();
  const tools: CatalogTool[] = [];
  for (const { segment, keeps } of parts) {
    const moved = segment.tools.map((tool, slot) => (keeps(slot) ? tools.push(tool) - 1 : -1));
    for (const word of segment.words.words) {
      const posting = segment.posting(word);
      for (const [index, slot] of (posting?.slots ?? []).entries()) {
        const to = moved[slot] ?? -1;
        if (to >= 0) builder.add(word, to, posting?.values[index] ?? 0);
      }
    }
  }
  const names = parts.flatMap(({ segment, keeps }) =>
    segment.names.filter((_, slot) => keeps(slot)),
  );
  return builder.segment(tools, names);
}

/** A segment with the places of its tools in one snapshot. */
export interface PlacedSegment {
  readonly segment: SearchSegment;
  /** By slot, the position in the catalog; -1 for a tool that the snapshot does not have. */
  readonly positions: Int32Array;
  /** Number of tools of the segment that the snapshot has. */
  readonly live: number;
}

/** The words of the tools of one snapshot, in segments that later snapshots share. Immutable. */
export interface SearchIndex {
  readonly segments: readonly PlacedSegment[];
  /** Number of tools. */
  readonly size: number;
  /** The number of the server of each tool by position; 0 for a tool without one. */
  readonly servers: Uint32Array;
  /** One more than the highest number of a server. */
  readonly serverCount: number;
}

/** The most segments of an index: a query looks every word up in each. */
const MAX_SEGMENTS = 8;

interface Place {
  readonly at: number;
  readonly slot: number;
}

const NOWHERE: Place = { at: -1, slot: -1 };

/** The words of two tools with the same name are the same. */
const hasSameWords = (a: CatalogTool, b: CatalogTool): boolean =>
  a === b ||
  (a.description === b.description &&
    a.inputSchema === b.inputSchema &&
    a.title === b.title &&
    a.server === b.server &&
    a.kind === b.kind);

/** The next slot is where the next tool of a catalog usually is. */
const getNextPlace = ({ at, slot }: Place): Place => ({ at, slot: slot + 1 });

const isAt = (segments: readonly PlacedSegment[], { at, slot }: Place, name: string): boolean =>
  segments[at]?.segment.tools[slot]?.name === name && (segments[at].positions[slot] ?? -1) >= 0;

/**
 * The place of the tool that the earlier snapshot had under a name.
 *
 * @param guess the place that is checked first
 */
function findPlace(
  segments: readonly PlacedSegment[],
  name: string,
  guess: Place,
): Place | undefined {
  if (isAt(segments, guess, name)) return guess;
  for (let at = 0; at < segments.length; at += 1) {
    const slot = segments[at]?.segment.findSlot(name);
    if (slot !== undefined && (segments[at]?.positions[slot] ?? -1) >= 0) return { at, slot };
  }
  return undefined;
}

function placeTools(
  earlier: readonly PlacedSegment[],
  tools: readonly CatalogTool[],
): { readonly placed: readonly PlacedSegment[]; readonly missing: readonly CatalogTool[] } {
  const segments = earlier.map(({ segment }) => segment);
  const positions = segments.map((segment) => new Int32Array(segment.tools.length).fill(-1));
  const live = segments.map(() => 0);
  const missing: CatalogTool[] = [];
  let last = NOWHERE;
  for (const tool of tools) {
    last = findPlace(earlier, tool.name, getNextPlace(last)) ?? NOWHERE;
    const { at, slot } = last;
    const known = segments[at]?.tools[slot];
    const target = positions[at];
    if (known === undefined || target === undefined || !hasSameWords(known, tool)) {
      missing.push(tool);
      continue;
    }
    target[slot] = tool.position;
    live[at] = (live[at] ?? 0) + 1;
  }
  return {
    placed: segments.map((segment, at) => ({
      segment,
      positions: positions[at] ?? new Int32Array(),
      live: live[at] ?? 0,
    })),
    missing,
  };
}

const isWorthKeeping = ({ segment, live }: PlacedSegment): boolean =>
  live * 2 > segment.tools.length;

function mergeParts(parts: readonly PlacedSegment[]): PlacedSegment {
  const segment = joinSegments(
    parts.map((part) => ({
      segment: part.segment,
      keeps: (slot) => (part.positions[slot] ?? -1) >= 0,
    })),
  );
  const positions = parts.flatMap((part) =>
    [...part.positions].filter((position) => position >= 0),
  );
  return { segment, positions: Int32Array.from(positions), live: segment.tools.length };
}

/** Joins segments that are mostly gone, and the smaller ones when there are too many: the largest stay as they are. */
function compactSegments(segments: readonly PlacedSegment[]): readonly PlacedSegment[] {
  const used = segments.filter(({ live }) => live > 0).sort((a, b) => b.live - a.live);
  const sound = used.filter(isWorthKeeping);
  const keep =
    sound.length === used.length && used.length <= MAX_SEGMENTS
      ? used.length
      : Math.min(sound.length, MAX_SEGMENTS >> 1);
  const kept = sound.slice(0, keep);
  const rest = used.filter((one) => !kept.includes(one));
  return rest.length === 0 ? kept : [...kept, mergeParts(rest)];
}

function assignServerNumbers(
  tools: readonly CatalogTool[],
): Pick<SearchIndex, 'servers' | 'serverCount'> {
  const numbers = new Map<string, number>();
  const servers = new Uint32Array(tools.length);
  let known: string | undefined;
  let number = 0;
  // A plain loop: entries of an iterator are objects. Tools of a server are neighbours.
  for (let position = 0; position < tools.length; position += 1) {
    const server = tools[position]?.server;
    if (server !== known) {
      number = server === undefined ? 0 : (numbers.get(server) ?? numbers.size + 1);
      if (server !== undefined) numbers.set(server, number);
      known = server;
    }
    servers[position] = number;
  }
  return { servers, serverCount: numbers.size + 1 };
}

/** Builds the index of a snapshot from an earlier one; only tools that this does not have are read. */
function buildIndex({ tools }: CatalogSnapshot, earlier: SearchIndex | undefined): SearchIndex {
  const { placed: known, missing } = placeTools(earlier?.segments ?? [], tools);
  const added: PlacedSegment = {
    segment: createSegment(missing),
    positions: Int32Array.from(missing, ({ position }) => position),
    live: missing.length,
  };
  const all = missing.length === 0 ? known : [...known, added];
  return { segments: compactSegments(all), size: tools.length, ...assignServerNumbers(tools) };
}

const indexes = new WeakMap<CatalogSnapshot, SearchIndex>();
const earlierIndexes = new WeakMap<CatalogSnapshot, SearchIndex>();

/** Returns the search index of a snapshot, built at first use and cached with the snapshot. */
export function searchIndex(snapshot: CatalogSnapshot): SearchIndex {
  const known = indexes.get(snapshot);
  if (known !== undefined) return known;
  const index = buildIndex(snapshot, earlierIndexes.get(snapshot));
  indexes.set(snapshot, index);
  earlierIndexes.delete(snapshot);
  return index;
}

/** Lets the index of a snapshot reuse that of the snapshot that it replaces. The index itself is built later. */
export function inheritIndex(snapshot: CatalogSnapshot, previous: CatalogSnapshot): void {
  const index = indexes.get(previous) ?? earlierIndexes.get(previous);
  if (index !== undefined) earlierIndexes.set(snapshot, index);
}

/**
 * Builds the search index of a snapshot before its first query. Words of tools that an earlier index contains are reused.
 */
export function prepareSearch(snapshot: CatalogSnapshot): void {
  searchIndex(snapshot);
}
