import { formatToolset, quoted, type Toolset } from '@gateway/toolset-grammar';
import type { PresetSet } from './preset.ts';

/** A toolset names an unknown preset. `known` lists the known presets in the order of `filter_tools`. @spec §7.1 */
export interface UnknownPreset {
  readonly code: 'toolset.unknown-preset';
  readonly toolset: readonly string[];
  readonly preset: string;
  readonly known: readonly string[];
}

/** Returns the first selector that names an unknown preset. @spec §7.1 */
export const unknownPresetOf = (
  toolset: Toolset,
  presets: PresetSet,
): UnknownPreset | undefined => {
  const unknown = toolset.selectors.find(
    ({ kind, name }) => kind === 'preset' && !presets.byName.has(name),
  );
  return (
    unknown && {
      code: 'toolset.unknown-preset',
      toolset: toolset.selectors.map(({ text }) => text),
      preset: unknown.name,
      known: [...presets.byName.keys()],
    }
  );
};

/** The refusal as one sentence. @spec §7.1 */
export const unknownPresetText = ({ toolset, preset, known }: UnknownPreset): string =>
  `toolset ${formatToolset(toolset)} names unknown preset ${quoted(preset)}; known presets: ${known.join(', ')}`;
