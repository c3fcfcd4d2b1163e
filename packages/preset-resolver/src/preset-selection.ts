import {
  differenceOf,
  selectLists,
  unionOf,
  type CatalogTool,
  type ToolSelection,
} from '@gateway/catalog';
import type { Preset, PresetRule, PresetSet } from './preset.ts';
import { orNone, toolsOfRule, type RuleGround } from './rule-tools.ts';

type Selections = ReadonlyMap<string, ToolSelection>;

const isComposition = (rule: PresetRule): rule is Extract<PresetRule, { kind: 'preset' }> =>
  rule.kind === 'preset';

/** The union of what rules select. The tools are marked once for all rules that name tools themselves. */
const unionOfRules = (
  rules: readonly PresetRule[],
  ground: RuleGround,
  composed: Selections,
): ToolSelection => {
  const lists: (readonly CatalogTool[])[] = [];
  const selections: ToolSelection[] = [];
  for (const rule of rules) {
    if (isComposition(rule)) selections.push(...orNone(composed.get(rule.name)));
    else lists.push(toolsOfRule(rule, ground));
  }
  return unionOf([selectLists(ground.catalog, lists), ...selections]);
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
 * Resolves a preset and all presets that it composes into `resolved`, each once. The excludes of a preset apply only to its own
 * includes: a preset that composes it can include the tool again. The algorithm is iterative.
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
