import { readOwnField, findText } from '@gateway/call-contract';
import { SHIPPED_PRESETS } from '@gateway/agent-manager-client';
import { BUILT_IN_PRESETS, type BuiltInPreset } from '@gateway/toolset-grammar';
import { toPresetSelector } from './composition.ts';

/** A preset as a user can choose it. */
export interface PresetCard {
  readonly name: string;
  readonly selector: string;
  readonly label: string;
  readonly description: string;
  /** `built in`, or `defined by this installation`. */
  readonly origin: 'built in' | 'defined by this installation';
  readonly isRecommended: boolean;
  /** The preset selects everything, which the card warns about. */
  readonly isFullAccess: boolean;
}

/** The presets of an installation. `source` is `built-in` when the gateway did not report any. */
export interface PresetCards {
  readonly source: 'gateway' | 'built-in';
  readonly cards: readonly PresetCard[];
}

interface Preset {
  readonly name: string;
  readonly description: string;
  readonly isBuiltIn: boolean;
}

/** The descriptions of the built-in presets, which a gateway may replace. @spec §2.3 */
const DESCRIPTIONS: Readonly<Record<BuiltInPreset, string>> = {
  'read-only': 'Every tool that declares itself read-only, and workflows of such tools',
  none: 'No tools: the agent can only chat',
  full: 'Every tool of the gateway, its administration included',
};

const BUILT_IN: readonly Preset[] = BUILT_IN_PRESETS.map((name) => ({
  name,
  description: DESCRIPTIONS[name],
  isBuiltIn: true,
}));

const LABELS: ReadonlyMap<string, string> = new Map([
  ['read-only', 'Read-only tools'],
  ['none', 'No tools'],
  ['infrastructure', 'Infrastructure'],
  ['agent-platform', 'Agent Platform'],
  ['full', 'Full gateway'],
]);

const [READ_ONLY, , FULL] = BUILT_IN_PRESETS;

/** The presets of an installation are between `full`, which is last, and the other shipped ones. */
const computeRank = (name: string): number => {
  if (name === FULL) return SHIPPED_PRESETS.length;
  const at = SHIPPED_PRESETS.indexOf(name);
  return at === -1 ? SHIPPED_PRESETS.length - 1 : at;
};

const compareRanks = (left: Preset, right: Preset): number =>
  computeRank(left.name) - computeRank(right.name) || (left.name < right.name ? -1 : 1);

const parsePreset = (entry: unknown): Preset | undefined => {
  const name = findText(readOwnField(entry, 'name'));
  if (name === undefined) return undefined;
  const description = findText(readOwnField(entry, 'description')) ?? '';
  return { name, description, isBuiltIn: readOwnField(entry, 'built_in') === true };
};

const mergePresets = (reported: readonly Preset[]): readonly Preset[] => {
  const presets = new Map(BUILT_IN.map((preset) => [preset.name, preset]));
  for (const { name, description, isBuiltIn } of reported) {
    const known = presets.get(name);
    presets.set(name, {
      name,
      description: description === '' ? (known?.description ?? '') : description,
      isBuiltIn: isBuiltIn || known !== undefined,
    });
  }
  return [...presets.values()].toSorted(compareRanks);
};

const createCard = ({ name, description, isBuiltIn }: Preset): PresetCard => ({
  name,
  selector: toPresetSelector(name),
  label: LABELS.get(name) ?? name,
  description,
  origin: isBuiltIn ? 'built in' : 'defined by this installation',
  isRecommended: name === READ_ONLY,
  isFullAccess: name === FULL,
});

/**
 * Returns the presets of an answer of `filter_tools` with `include_presets`. The built-in presets are always among them; a description
 * of the gateway replaces their own unless it is empty.
 *
 * @param answer the answer, or `undefined` when there is none: no gateway, or a call that failed
 * @spec §2.3, §4.3
 */
export const parsePresetCards = (answer: unknown): PresetCards => {
  const presets = readOwnField(answer, 'presets');
  if (!Array.isArray(presets))
    return { source: 'built-in', cards: mergePresets([]).map(createCard) };
  const reported = presets.flatMap((entry) => parsePreset(entry) ?? []);
  return { source: 'gateway', cards: mergePresets(reported).map(createCard) };
};

/** Returns the selectors of presets that the gateway does not have; none while it has not reported its presets. */
export const listUnknownPresets = (
  selectors: readonly string[],
  { source, cards }: PresetCards,
): readonly string[] => {
  if (source === 'built-in') return [];
  const known = new Set(cards.map(({ selector }) => selector));
  return selectors.filter(
    (selector) => selector.startsWith(toPresetSelector('')) && !known.has(selector),
  );
};
