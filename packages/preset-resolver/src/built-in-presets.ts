import type { Preset } from './preset.ts';

/** The presets that every gateway has, in the order in which they are listed. @spec §2.3 */
export const BUILT_IN_PRESETS: readonly Preset[] = [
  {
    name: 'read-only',
    description:
      'Every tool its server annotates read-only, plus every workflow whose step tools are all read-only',
    builtIn: true,
    include: [{ kind: 'readOnly' }],
    exclude: [],
  },
  { name: 'none', description: 'No tools', builtIn: true, include: [], exclude: [] },
  {
    name: 'full',
    description: "The whole catalogue, including the gateway's core tools",
    builtIn: true,
    include: [{ kind: 'pattern', pattern: '*', matches: () => true }],
    exclude: [],
  },
];
