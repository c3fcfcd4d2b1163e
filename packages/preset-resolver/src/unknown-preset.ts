import { formatToolset, quoted } from '@gateway/toolset-grammar';

/** That a toolset names a preset which nobody knows. `known` is in the order of the listing. @spec §7.1 */
export interface UnknownPreset {
  readonly code: 'toolset.unknown-preset';
  readonly toolset: readonly string[];
  readonly preset: string;
  readonly known: readonly string[];
}

/** The refusal as one sentence. @spec §7.1 */
export const unknownPresetText = ({ toolset, preset, known }: UnknownPreset): string =>
  `toolset ${formatToolset(toolset)} names unknown preset ${quoted(preset)}; known presets: ${known.join(', ')}`;
