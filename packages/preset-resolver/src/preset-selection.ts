import {
  differenceOf,
  emptySelection,
  selectTools,
  unionOf,
  type ToolSelection,
} from '@gateway/catalog';
import type { Preset, PresetRule, PresetSet } from './preset.ts';
import { toolsOfRule, type RuleGround } from './rule-tools.ts';

type Selections = ReadonlyMap<string, ToolSelection>;

const isComposition = (rule: PresetRule): rule is Extract<PresetRule, { kind: 'preset' }> =>
  rule.kind === 'preset';

/** The union of what rules select. Each rule marks its tools at once, so that no list is copied. */
const unionOfRules = (
  rules: readonly PresetRule[],
  ground: RuleGround,
  composed: Selections,
): ToolSelection => {
  const nothing = emptySelection(ground.catalog);
  const selections = rules.map((rule) =>
    isComposition(rule)
      ? (composed.get(rule.name) ?? nothing)
      : selectTools(ground.catalog, toolsOfRule(rule, ground)),
  );
  return unionOf([nothing, ...selections]);
};

/** The union of the includes minus the union of the excludes, once all that is composed has been resolved. */
const selectionOf = (preset: Preset, ground: RuleGround, composed: Selections): ToolSelection => {
  const included = unionOfRules(preset.include, ground, composed);
  if (preset.exclude.length === 0) return included;
  return differenceOf(included, unionOfRules(preset.exclude, ground, composed));
};

/** The composed presets that are still to be resolved. */
const unresolvedOf = (
  preset: Preset,
  presets: PresetSet,
  resolved: Selections,
): readonly Preset[] =>
  preset.include.filter(isComposition).flatMap(({ name }) => {
    const composed = resolved.has(name) ? undefined : presets.byName.get(name);
    return composed === undefined ? [] : [composed];
  });

/**
 * Resolves a preset and whatever it composes into `resolved`, each once. A preset's excludes reach only what it
 * includes itself: whoever composes it may include the tool again. Works without recursion.
 *
 * @spec §2.2
 */
export const resolvePreset = (
  root: Preset,
  presets: PresetSet,
  ground: RuleGround,
  resolved: Map<string, ToolSelection>,
): void => {
  const pending = [root];
  for (let preset = pending.at(-1); preset !== undefined; preset = pending.at(-1)) {
    const missing = unresolvedOf(preset, presets, resolved);
    if (missing.length > 0) {
      pending.push(...missing);
    } else {
      if (!resolved.has(preset.name))
        resolved.set(preset.name, selectionOf(preset, ground, resolved));
      pending.pop();
    }
  }
};
