import { compileGlob, type CatalogSnapshot, type ToolSelection } from '@gateway/catalog';
import { quoted } from '@gateway/toolset-grammar';
import { resolvePreset } from './preset-selection.ts';
import type { Preset, PresetSet } from './preset.ts';

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

export const gapsAmong = (
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
export const excludeGaps = (
  presets: PresetSet,
  catalog: CatalogSnapshot,
): readonly ExcludeGap[] => {
  if (!catalog.tools.some(({ name }) => name.includes('/'))) return [];
  const selections = new Map<string, ToolSelection>();
  return Array.from(presets.byName.values()).flatMap((preset) => {
    if (!preset.exclude.some(({ kind }) => kind === 'pattern')) return [];
    resolvePreset(preset, presets, catalog, selections);
    const selected = selections.get(preset.name)?.tools ?? [];
    return gapsAmong(
      preset,
      selected.map(({ name }) => name),
    );
  });
};

/** The gap as one sentence with its remedy. */
export const excludeGapText = ({ preset, index, pattern, names }: ExcludeGap): string => {
  const shown = names.slice(0, MAX_SHOWN_NAMES).map(quoted).join(', ');
  const more = names.length - MAX_SHOWN_NAMES;
  const rest = more > 0 ? ` and ${more} more` : '';
  return `preset ${quoted(preset)} exclude[${index}] pattern ${quoted(pattern)} does not exclude ${shown}${rest}, because * stops at /; write the / in the pattern, or exclude tools by a rule "tool"`;
};
