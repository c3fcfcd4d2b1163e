import type { CatalogTool } from './catalog-tool.ts';
import { wordListOf, type WordList } from './spelling.ts';
import { FIELDS, ownName, toolWords, type Field } from './tool-words.ts';
import { budgetsByServer, type ServerBudgets } from './word-budget.ts';
import { writtenWords } from './words.ts';

/** How much an occurrence of a word in a field counts. */
interface FieldRule {
  readonly weight: number;
  /** The number of words of a usual field. A constant, not an average: what a tool scores does not depend on the other tools. */
  readonly usual: number;
  /** The effect of the length (b of BM25): 0 is none; with 1, an occurrence in a field twice as long counts half. */
  readonly normalization: number;
}

const FIELD_RULES: Readonly<Record<Field, FieldRule>> = {
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
  /** By slot, the names as {@link plainName} gives them. */
  readonly names: readonly ToolNames[];
  posting(word: string): SegmentPosting | undefined;
  /** Returns the slot of the tool with an exposed name. */
  slotOf(name: string): number | undefined;
}

/** The names of a tool, with `_` between their words. */
interface ToolNames {
  readonly own: string;
  readonly exposed: string;
}

/** Returns a name or a query in the form in which they are compared: the written words with `_` between them. */
export const plainName = (name: string): string => writtenWords(name).join('_');

const namesOf = (tool: CatalogTool): ToolNames => ({
  own: plainName(ownName(tool)),
  exposed: plainName(tool.name),
});

interface Occurrences {
  readonly slots: number[];
  readonly values: number[];
}

const occurrenceWeight = ({ weight, usual, normalization }: FieldRule, length: number): number =>
  weight / (1 - normalization + normalization * (length / usual));

const saturated = (weight: number): number => (weight * (SATURATION + 1)) / (weight + SATURATION);

/** The sums of the weighted occurrences of the words of a tool over its fields. */
function weightsOf(
  tool: CatalogTool,
  budgets: ServerBudgets | undefined,
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const words = toolWords(tool, budgets);
  for (const field of FIELDS) {
    const weight = occurrenceWeight(FIELD_RULES[field], words[field].length);
    for (const word of words[field]) weights.set(word, (weights.get(word) ?? 0) + weight);
  }
  return weights;
}

/** The occurrences of the words of a new segment. */
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
      words: wordListOf([...numbers.keys()]),
      names,
      slotOf: (name) => slotsByName.get(name),
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
export function segmentOf(tools: readonly CatalogTool[]): SearchSegment {
  const builder = new SegmentBuilder();
  const budgetsOf = budgetsByServer();
  for (const [slot, tool] of tools.entries()) {
    for (const [word, weight] of weightsOf(tool, budgetsOf(tool.server)))
      builder.add(word, slot, saturated(weight));
  }
  return builder.segment(tools, tools.map(namesOf));
}

/** A segment, and the slots of the tools to keep. */
export interface SegmentPart {
  readonly segment: SearchSegment;
  readonly keeps: (slot: number) => boolean;
}

/** Joins parts of segments, without reading the tools again. The tools stay in the order of the parts and of their slots. */
export function joinSegments(parts: readonly SegmentPart[]): SearchSegment {
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
