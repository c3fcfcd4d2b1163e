/** The presets that every gateway has, in the order in which they are listed. @spec §2.3 */
export const BUILT_IN_PRESETS = ['read-only', 'none', 'full'] as const;

/** The name of a preset that every gateway has. @spec §2.3 */
export type BuiltInPreset = (typeof BUILT_IN_PRESETS)[number];
