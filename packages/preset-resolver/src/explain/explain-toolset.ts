import type { CatalogTool } from '@gateway/catalog';
import type { Selector } from '@gateway/toolset-grammar';
import { NO_LABELS, readLabels } from '../read-labels.ts';
import { resolveToolset } from '../resolve-toolset.ts';
import { toolsOfRule, type RuleGround } from '../rule-tools.ts';
import type { ToolsetQuestion } from '../toolset-question.ts';
import type { UnknownPreset } from '../unknown-preset.ts';
import {
  explainPreset,
  type ExplainedPreset,
  type RuleReference,
  type RuleTrail,
} from './explain-preset.ts';
import { notesOnRule, type ExplanationNote } from './explanation-note.ts';

/** One selector that selects a tool. */
export interface SelectedBy {
  /** As given. */
  readonly selector: string;
  /** From the preset that the selector names down to the rule that names the tool; empty where the selector names it itself. */
  readonly rules: readonly RuleReference[];
}

/** A selected tool, and every selector that selects it. */
export interface ExplainedTool {
  readonly tool: CatalogTool;
  readonly selectedBy: readonly SelectedBy[];
}

/** A tool that a selector includes and that is not selected after all. */
export interface LeftOutTool {
  readonly tool: CatalogTool;
  readonly selector: string;
  /** The rule that takes it out; absent where it is outside what the toolset may only narrow. */
  readonly by?: RuleReference;
}

/** The tools that a toolset selects for a caller and why, the excluded tools, and the selectors without a match. */
export interface ToolsetExplanation {
  /** In catalog order. */
  readonly tools: readonly ExplainedTool[];
  /** In catalog order. */
  readonly leftOut: readonly LeftOutTool[];
  /** The selectors that select nothing, as {@link resolveToolset} reports them. */
  readonly unmatched: readonly string[];
  /** The rules of the named presets that find nothing for this caller. */
  readonly idleRules: readonly RuleReference[];
  readonly notes: readonly ExplanationNote[];
}

/** The explanation of a toolset, or the unknown preset that it names. */
export type ExplainedToolset =
  | { readonly ok: true; readonly explanation: ToolsetExplanation }
  | { readonly ok: false; readonly error: UnknownPreset };

/** Maximum number of rules of a trail: the first rules and the rule that names the tool. */
const MAX_TRAIL = 8;

const rulesOf = (trail: RuleTrail | undefined): readonly RuleReference[] => {
  const rules: RuleReference[] = [];
  for (let step = trail; step !== undefined; step = step.then) {
    if (rules.length === MAX_TRAIL) rules.pop();
    rules.push(step.rule);
  }
  return rules;
};

/** The effect of one selector. */
interface Part {
  readonly selector: string;
  readonly trails: ReadonlyMap<CatalogTool, RuleTrail | undefined>;
  readonly excluded: ReadonlyMap<CatalogTool, RuleReference>;
}

interface Explaining {
  readonly question: ToolsetQuestion;
  readonly ground: RuleGround;
  readonly explained: Map<string, ExplainedPreset>;
  readonly notes: ExplanationNote[];
}

const partOf = ({ kind, name, text }: Selector, explaining: Explaining): Part => {
  const { question, ground, explained, notes } = explaining;
  if (kind !== 'preset') {
    const tools = toolsOfRule({ kind, name }, ground);
    notes.push(...notesOnRule({ kind, name }, tools, ground));
    const trails = new Map(tools.map((tool) => [tool, undefined]));
    return { selector: text, trails, excluded: new Map() };
  }
  const preset = question.presets.byName.get(name);
  if (preset !== undefined) explainPreset(preset, question.presets, ground, explained);
  const { trails, excluded } = explained.get(name) ?? { trails: new Map(), excluded: new Map() };
  return { selector: text, trails, excluded };
};

const byPosition = (a: { readonly tool: CatalogTool }, b: { readonly tool: CatalogTool }): number =>
  a.tool.position - b.tool.position;

const leftOutBy = (
  { selector, trails, excluded }: Part,
  isSelected: (tool: CatalogTool) => boolean,
): readonly LeftOutTool[] => [
  ...[...trails.keys()].filter((tool) => !isSelected(tool)).map((tool) => ({ tool, selector })),
  ...[...excluded]
    .filter(([tool]) => !isSelected(tool))
    .map(([tool, by]) => ({ tool, selector, by })),
];

const distinct = <T>(values: readonly T[]): readonly T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

/**
 * Explains what {@link resolveToolset} answers to the same question: for each tool every selector that selects it, and within a
 * preset the first rule that does. It is for people who look, not for every request: nothing is remembered.
 *
 * @spec §2.1, §2.2, §4.3
 */
export const explainToolset = (question: ToolsetQuestion): ExplainedToolset => {
  const resolved = resolveToolset(question);
  if (!resolved.ok) return resolved;
  const { labels = NO_LABELS } = readLabels(question);
  const ground = { catalog: question.catalog, labels };
  const explaining: Explaining = { question, ground, explained: new Map(), notes: [] };
  const { selection, unmatched } = resolved;
  const parts = question.toolset.selectors.map((selector) => partOf(selector, explaining));
  const isSelected = (tool: CatalogTool): boolean => selection.has(tool);
  const tools = selection.tools.map((tool) => ({
    tool,
    selectedBy: parts.flatMap(({ selector, trails }) =>
      trails.has(tool) ? [{ selector, rules: rulesOf(trails.get(tool)) }] : [],
    ),
  }));
  const presets = [...explaining.explained.values()];
  return {
    ok: true,
    explanation: {
      tools,
      leftOut: parts.flatMap((part) => leftOutBy(part, isSelected)).toSorted(byPosition),
      unmatched,
      idleRules: presets.flatMap(({ idle }) => idle),
      notes: distinct([...explaining.notes, ...presets.flatMap(({ notes }) => notes)]),
    },
  };
};
