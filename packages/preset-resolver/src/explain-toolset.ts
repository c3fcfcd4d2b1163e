import {
  type CatalogSnapshot,
  type CatalogTool,
  compileGlob,
  type ToolSelection,
} from '@gateway/catalog';
import { quoteText, type Result, type Selector } from '@gateway/toolset-grammar';
import type { RuleList, RulePosition, UnknownPreset } from './preset-error.ts';
import { listComposedPresets, resolvePreset, listRuleTools } from './preset-selection.ts';
import {
  hasMatchingLabel,
  type ExcludeRule,
  type Preset,
  type PresetRule,
  type PresetSet,
} from './preset.ts';
import { resolveToolset, type ToolsetQuestion } from './resolve-toolset.ts';

/** A pattern of `exclude` that would also exclude these names if its `*` crossed `/`. @spec §2.2 */
export interface ExcludeGap {
  readonly preset: string;
  /** Position in `exclude`, from 0. */
  readonly index: number;
  readonly pattern: string;
  readonly names: readonly string[];
}

/** Names that a text shows; a catalog can have thousands. */
const MAX_SHOWN_NAMES = 10;

export const findExcludeGaps = (
  { name: preset, exclude }: Preset,
  names: Iterable<string>,
): readonly ExcludeGap[] => {
  const slashed = Array.from(names).filter((name) => name.includes('/'));
  if (slashed.length === 0) return [];
  return exclude.flatMap((rule, index) => {
    if (rule.kind !== 'pattern') return [];
    const crossing = compileGlob(rule.pattern, { crossesSlashes: true });
    const missed = slashed.filter(
      (name) => !rule.matches(name) && crossing.ok && crossing.matches(name),
    );
    return missed.length === 0 ? [] : [{ preset, index, pattern: rule.pattern, names: missed }];
  });
};

/** Returns the gaps of all presets: tools of the catalog that a preset selects although its author may think that they are excluded. */
export const listExcludeGaps = (
  presets: PresetSet,
  catalog: CatalogSnapshot,
): readonly ExcludeGap[] => {
  if (!catalog.tools.some(({ name }) => name.includes('/'))) return [];
  const selections = new Map<string, ToolSelection>();
  return Array.from(presets.byName.values()).flatMap((preset) => {
    if (!preset.exclude.some(({ kind }) => kind === 'pattern')) return [];
    resolvePreset(preset, presets, catalog, selections);
    const selected = selections.get(preset.name)?.tools ?? [];
    return findExcludeGaps(
      preset,
      selected.map(({ name }) => name),
    );
  });
};

/** The gap as one sentence with its remedy. */
export const formatExcludeGap = ({ preset, index, pattern, names }: ExcludeGap): string => {
  const shown = names.slice(0, MAX_SHOWN_NAMES).map(quoteText).join(', ');
  const more = names.length - MAX_SHOWN_NAMES;
  const rest = more > 0 ? ` and ${more} more` : '';
  return `preset ${quoteText(preset)} exclude[${index}] pattern ${quoteText(pattern)} does not exclude ${shown}${rest}, because * stops at /; write the / in the pattern, or exclude tools by a rule "tool"`;
};

type RuleByKind<Kind extends PresetRule['kind']> = Extract<PresetRule, { readonly kind: Kind }>;

const VALUES: {
  readonly [Kind in PresetRule['kind']]: (rule: RuleByKind<Kind>) => string;
} = {
  tool: ({ name }) => name,
  pattern: ({ pattern }) => pattern,
  server: ({ name }) => name,
  workflow: ({ name }) => name,
  readOnly: () => 'true',
  preset: ({ name }) => name,
  label: ({ key, value }) => (value === undefined ? key : `${key}=${value}`),
};

/** A rule as the configuration writes it: `server: memory`. @spec §2.2 */
const formatRule = <Kind extends PresetRule['kind']>(rule: RuleByKind<Kind>): string =>
  `${rule.kind}: ${VALUES[rule.kind](rule)}`;

/**
 * A note on a rule that does less than it seems to: a family's tools serve all of its members, even when a rule names one member or
 * matches its label, and `*` in a pattern of `exclude` stops at `/`. @spec §2.1, §2.2
 */
export type ExplanationNote =
  | { readonly code: 'note.member'; readonly member: string; readonly family: string }
  | { readonly code: 'note.label'; readonly rule: string; readonly family: string }
  | { readonly code: 'note.exclude-gap'; readonly gap: ExcludeGap };

const NO_FENCE = 'its tools reach every member of the family, so that';

type NoteByCode<Code extends ExplanationNote['code']> = Extract<
  ExplanationNote,
  { readonly code: Code }
>;

const TEXTS: {
  readonly [Code in ExplanationNote['code']]: (note: NoteByCode<Code>) => string;
} = {
  'note.member': ({ member, family }) =>
    `server:${member} names a member of the family ${family}: ${NO_FENCE} the name is no fence`,
  'note.label': ({ rule, family }) =>
    `${rule} is carried by some members of the family ${family} only: ${NO_FENCE} the label is no fence`,
  'note.exclude-gap': ({ gap }) => formatExcludeGap(gap),
};

/** Returns the note as one sentence. */
export const formatExplanationNote = <Code extends ExplanationNote['code']>(
  note: NoteByCode<Code>,
): string => TEXTS[note.code](note);

const listFamilies = (
  tools: readonly CatalogTool[],
  isPartly: (tool: CatalogTool) => boolean,
): readonly string[] => [
  ...new Set(
    tools.flatMap((tool) =>
      tool.instanceArg !== undefined && tool.server !== undefined && isPartly(tool)
        ? [tool.server]
        : [],
    ),
  ),
];

/** The notes on one rule that selects the tools. */
const listRuleNotes = (
  rule: ExcludeRule,
  tools: readonly CatalogTool[],
  { serverLabels }: CatalogSnapshot,
): readonly ExplanationNote[] => {
  if (rule.kind === 'server')
    return listFamilies(tools, ({ server }) => server !== rule.name).map((family) => ({
      code: 'note.member',
      member: rule.name,
      family,
    }));
  if (rule.kind !== 'label') return [];
  const lacksLabel = ({ providers }: CatalogTool): boolean =>
    providers.some(({ server }) => !hasMatchingLabel(serverLabels.get(server) ?? {}, rule));
  return listFamilies(tools, lacksLabel).map((family) => ({
    code: 'note.label',
    rule: formatRule(rule),
    family,
  }));
};

export interface RuleReference extends RulePosition {
  /** As the configuration writes it: `server: memory`. */
  readonly rule: string;
}

/** The rule that selects a tool, and within the preset that it composes, the rule there. */
export interface RuleTrail {
  readonly rule: RuleReference;
  readonly then?: RuleTrail;
}

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
  readonly catalog: CatalogSnapshot;
  readonly explained: Explained;
  readonly trails: Map<CatalogTool, RuleTrail>;
  readonly idle: RuleReference[];
  readonly notes: ExplanationNote[];
}

const createReference = (
  { name }: Preset,
  {
    list,
    index,
    rule,
  }: { readonly list: RuleList; readonly index: number; readonly rule: PresetRule },
): RuleReference => ({ preset: name, list, index, rule: formatRule(rule) });

const includeComposed = (name: string, rule: RuleReference, work: Work): boolean => {
  const composed = work.explained.get(name)?.trails ?? new Map<CatalogTool, RuleTrail>();
  for (const [tool, then] of composed)
    if (!work.trails.has(tool)) work.trails.set(tool, { rule, then });
  return composed.size > 0;
};

const includeOwn = (rule: ExcludeRule, reference: RuleReference, work: Work): boolean => {
  const tools = listRuleTools(rule, work.catalog);
  work.notes.push(...listRuleNotes(rule, tools, work.catalog));
  for (const tool of tools) if (!work.trails.has(tool)) work.trails.set(tool, { rule: reference });
  return tools.length > 0;
};

const include = (work: Work): void => {
  for (const [index, rule] of work.preset.include.entries()) {
    const reference = createReference(work.preset, { list: 'include', index, rule });
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
    const reference = createReference(work.preset, { list: 'exclude', index, rule });
    const tools = listRuleTools(rule, work.catalog).filter((tool) => work.trails.has(tool));
    work.notes.push(...listRuleNotes(rule, tools, work.catalog));
    for (const tool of tools) if (!excluded.has(tool)) excluded.set(tool, reference);
    if (tools.length === 0) work.idle.push(reference);
  }
  for (const tool of excluded.keys()) work.trails.delete(tool);
  return excluded;
};

const explainOne = (
  preset: Preset,
  catalog: CatalogSnapshot,
  explained: Explained,
): ExplainedPreset => {
  const work: Work = { preset, catalog, explained, trails: new Map(), idle: [], notes: [] };
  include(work);
  const excluded = exclude(work);
  const selected = Array.from(work.trails.keys(), ({ name }) => name);
  for (const gap of findExcludeGaps(preset, selected))
    work.notes.push({ code: 'note.exclude-gap', gap });
  return { trails: work.trails, excluded, idle: work.idle, notes: work.notes };
};

/**
 * Explains a preset and all presets that it composes into `explained`, each once.
 *
 * @spec §2.2
 */
const explainPreset = (
  root: Preset,
  presets: PresetSet,
  catalog: CatalogSnapshot,
  explained: Map<string, ExplainedPreset>,
): void => {
  for (const preset of listComposedPresets(root, presets, explained))
    explained.set(preset.name, explainOne(preset, catalog, explained));
};

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
export interface OmittedTool {
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
  readonly leftOut: readonly OmittedTool[];
  /** The selectors that select nothing, as {@link resolveToolset} reports them. */
  readonly unmatched: readonly string[];
  /** The rules of the named presets that find nothing for this caller. */
  readonly idleRules: readonly RuleReference[];
  readonly notes: readonly ExplanationNote[];
}

/** The explanation of a toolset, or the unknown preset that it names. */
export type ExplainedToolset = Result<ToolsetExplanation, UnknownPreset>;

/** Maximum number of rules of a trail: the first rules and the rule that names the tool. */
const MAX_TRAIL = 8;

const listRules = (trail: RuleTrail | undefined): readonly RuleReference[] => {
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
  readonly explained: Map<string, ExplainedPreset>;
  readonly notes: ExplanationNote[];
}

const explainSelector = ({ kind, name, text }: Selector, explaining: Explaining): Part => {
  const { question, explained, notes } = explaining;
  const { catalog } = question;
  if (kind !== 'preset') {
    const tools = listRuleTools({ kind, name }, catalog);
    notes.push(...listRuleNotes({ kind, name }, tools, catalog));
    const trails = new Map(tools.map((tool) => [tool, undefined]));
    return { selector: text, trails, excluded: new Map() };
  }
  const preset = question.presets.byName.get(name);
  if (preset !== undefined) explainPreset(preset, question.presets, catalog, explained);
  const { trails, excluded } = explained.get(name) ?? { trails: new Map(), excluded: new Map() };
  return { selector: text, trails, excluded };
};

const comparePositions = (
  a: { readonly tool: CatalogTool },
  b: { readonly tool: CatalogTool },
): number => a.tool.position - b.tool.position;

const listOmissions = (
  { selector, trails, excluded }: Part,
  isSelected: (tool: CatalogTool) => boolean,
): readonly OmittedTool[] => [
  ...[...trails.keys()].filter((tool) => !isSelected(tool)).map((tool) => ({ tool, selector })),
  ...[...excluded]
    .filter(([tool]) => !isSelected(tool))
    .map(([tool, by]) => ({ tool, selector, by })),
];

const dropDuplicates = <T>(values: readonly T[]): readonly T[] => [
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
  const explaining: Explaining = { question, explained: new Map(), notes: [] };
  const { selection, unmatched } = resolved.value;
  const parts = question.toolset.selectors.map((selector) => explainSelector(selector, explaining));
  const isSelected = (tool: CatalogTool): boolean => selection.has(tool);
  const tools = selection.tools.map((tool) => ({
    tool,
    selectedBy: parts.flatMap(({ selector, trails }) =>
      trails.has(tool) ? [{ selector, rules: listRules(trails.get(tool)) }] : [],
    ),
  }));
  const presets = [...explaining.explained.values()];
  return {
    ok: true,
    value: {
      tools,
      leftOut: parts.flatMap((part) => listOmissions(part, isSelected)).toSorted(comparePositions),
      unmatched,
      idleRules: presets.flatMap(({ idle }) => idle),
      notes: dropDuplicates([...explaining.notes, ...presets.flatMap(({ notes }) => notes)]),
    },
  };
};
