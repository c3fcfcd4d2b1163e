import {
  type CatalogSnapshot,
  type CatalogTool,
  differenceOf,
  selectLists,
  unionOf,
  type ToolSelection,
} from '@gateway/catalog';
import {
  carriesLabel,
  type LabelQuery,
  type ExcludeRule,
  type Labels,
  type Preset,
  type PresetRule,
  type PresetSet,
} from './preset.ts';

/** The labels of every server, by its name. */
export type ServerLabels = ReadonlyMap<string, Labels>;

/** The catalog and labels that rules are resolved against. */
export interface RuleGround {
  readonly catalog: CatalogSnapshot;
  readonly labels: ServerLabels;
}

/** The value as a list: of one, or of none. */
const orNone = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);

const isProvidedBy = ({ instanceArg, providers }: CatalogTool, name: string): boolean =>
  instanceArg === undefined || providers.some(({ server }) => server === name);

/**
 * Returns the tools that one of the labelled servers provides. A family can have the name of a server;
 * the label of that server does not apply to the other members of the family.
 */
const toolsWithLabel = (
  { catalog, labels }: RuleGround,
  query: LabelQuery,
): readonly CatalogTool[] => {
  const tools: CatalogTool[] = [];
  for (const [name, own] of labels) {
    if (!carriesLabel(own, query)) continue;
    for (const tool of catalog.toolsOfServer(name)) if (isProvidedBy(tool, name)) tools.push(tool);
  }
  return tools;
};

const toolsMatching = (
  { catalog }: RuleGround,
  matches: (name: string) => boolean,
): readonly CatalogTool[] => {
  const tools: CatalogTool[] = [];
  for (const tool of catalog.tools) if (matches(tool.name)) tools.push(tool);
  return tools;
};

type RuleOf<Kind extends ExcludeRule['kind']> = Extract<ExcludeRule, { readonly kind: Kind }>;

const TOOLS: {
  readonly [Kind in ExcludeRule['kind']]: (
    rule: RuleOf<Kind>,
    ground: RuleGround,
  ) => readonly CatalogTool[];
} = {
  tool: ({ name }, { catalog }) => orNone(catalog.tool(name)),
  pattern: ({ matches }, ground) => toolsMatching(ground, matches),
  server: ({ name }, { catalog }) => catalog.toolsOfServer(name),
  workflow: ({ name }, { catalog }) => orNone(catalog.toolOfWorkflow(name)),
  readOnly: (_rule, { catalog }) => catalog.readOnlyTools,
  label: (query, ground) => toolsWithLabel(ground, query),
};

/** The tools that one rule selects; repeats are possible. @spec §2.2 */
export const toolsOfRule = <Kind extends ExcludeRule['kind']>(
  rule: RuleOf<Kind>,
  ground: RuleGround,
): readonly CatalogTool[] => TOOLS[rule.kind](rule, ground);

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
