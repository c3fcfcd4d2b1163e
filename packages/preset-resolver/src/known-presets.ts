import type { KnownPreset, PresetSet } from './preset.ts';

/** The presets that a toolset may name: built-ins first, then the configured ones sorted by name. @spec §4.3 */
export const knownPresets = (presets: PresetSet): readonly KnownPreset[] =>
  Array.from(presets.byName.values(), ({ name, description, builtIn }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    builtIn,
  }));
