import type { CatalogTool } from '@gateway/catalog';
import { gapsAmong } from '../exclude-gaps.ts';
import type { RuleList, RulePosition } from '../preset-error.ts';
import type { ExcludeRule, Preset, PresetRule, PresetSet } from '../preset.ts';
import { toolsOfRule, type RuleGround } from '../rule-tools.ts';
import { notesOnRule, type ExplanationNote } from './explanation-note.ts';
import { ruleText } from './rule-text.ts';

/** A rule of a preset with its position. */
export interface RuleReference extends RulePosition {
  /** As the configuration writes it: `server: memory`. */
  readonly rule: string;
}

/** The rule that selects a tool, and within the preset that it composes, the rule there. */
export interface RuleTrail {
  readonly rule: RuleReference;
  readonly then?: RuleTrail;
}

/** The tools of one preset and the rules that select them. */
export interface ExplainedPreset {
  /** The first rule that selects each tool. */
  readonly trails: ReadonlyMap<CatalogTool, RuleTrail>;
  /** The first rule that takes out again what is included. */
  readonly excluded: ReadonlyMap<CatalogTool, RuleReference>;
  /** The rules that find nothing; of `exclude`, those that take nothing out. */
  readonly idle: readonly RuleReference[];
  readonly notes: readonly ExplanationNote[];
}

type Explained = ReadonlyMap<string, ExplainedPreset>;

interface Work {
  readonly preset: Preset;
  readonly ground: RuleGround;
  readonly explained: Explained;
  readonly trails: Map<CatalogTool, RuleTrail>;
  readonly idle: RuleReference[];
  readonly notes: ExplanationNote[];
}

const referenceTo = (
  { name }: Preset,
  {
    list,
    index,
    rule,
  }: { readonly list: RuleList; readonly index: number; readonly rule: PresetRule },
): RuleReference => ({ preset: name, list, index, rule: ruleText(rule) });

const includeComposed = (name: string, rule: RuleReference, work: Work): boolean => {
  const composed = work.explained.get(name)?.trails ?? new Map<CatalogTool, RuleTrail>();
  for (const [tool, then] of composed)
    if (!work.trails.has(tool)) work.trails.set(tool, { rule, then });
  return composed.size > 0;
};

const includeOwn = (rule: ExcludeRule, reference: RuleReference, work: Work): boolean => {
  const tools = toolsOfRule(rule, work.ground);
  work.notes.push(...notesOnRule(rule, tools, work.ground));
  for (const tool of tools) if (!work.trails.has(tool)) work.trails.set(tool, { rule: reference });
  return tools.length > 0;
};

const include = (work: Work): void => {
  for (const [index, rule] of work.preset.include.entries()) {
    const reference = referenceTo(work.preset, { list: 'include', index, rule });
    const found =
      rule.kind === 'preset'
        ? includeComposed(rule.name, reference, work)
        : includeOwn(rule, reference, work);
    if (!found) work.idle.push(reference);
  }
};

const exclude = (work: Work): ReadonlyMap<CatalogTool, RuleReference> => {
  const excluded = new Map<CatalogTool, RuleReference>();
  for (const [index, rule] of work.preset.exclude.entries()) {
    const reference = referenceTo(work.preset, { list: 'exclude', index, rule });
    const tools = toolsOfRule(rule, work.ground).filter((tool) => work.trails.has(tool));
    work.notes.push(...notesOnRule(rule, tools, work.ground));
    for (const tool of tools) if (!excluded.has(tool)) excluded.set(tool, reference);
    if (tools.length === 0) work.idle.push(reference);
  }
  for (const tool of excluded.keys()) work.trails.delete(tool);
  return excluded;
};

const explainOne = (preset: Preset, ground: RuleGround, explained: Explained): ExplainedPreset => {
  const work: Work = { preset, ground, explained, trails: new Map(), idle: [], notes: [] };
  include(work);
  const excluded = exclude(work);
  const selected = Array.from(work.trails.keys(), ({ name }) => name);
  for (const gap of gapsAmong(preset, selected)) work.notes.push({ code: 'note.exclude-gap', gap });
  return { trails: work.trails, excluded, idle: work.idle, notes: work.notes };
};

/**
 * Explains a preset and all presets that it composes into `explained`, each once, composed presets first. The algorithm is iterative.
 *
 * @spec §2.2
 */
export const explainPreset = (
  root: Preset,
  presets: PresetSet,
  ground: RuleGround,
  explained: Map<string, ExplainedPreset>,
): void => {
  const pending = [root];
  for (let preset = pending.at(-1); preset !== undefined; preset = pending.at(-1)) {
    const missing = preset.include.flatMap((rule) => {
      const composed = rule.kind === 'preset' ? presets.byName.get(rule.name) : undefined;
      return composed === undefined || explained.has(composed.name) ? [] : [composed];
    });
    if (missing.length > 0) {
      pending.push(...missing);
    } else {
      if (!explained.has(preset.name))
        explained.set(preset.name, explainOne(preset, ground, explained));
      pending.pop();
    }
  }
};
