import type { Agent } from '@gateway/agent-manager-client';
import { selectorOfPreset, type PresetCard } from '@gateway/toolset-composer';

const PREFIX = 'preset:';

/** Returns the agents whose toolset names a preset. */
export const agentsWithPreset = (agents: readonly Agent[], name: string): readonly Agent[] => {
  const selector = selectorOfPreset(name);
  return agents.filter(({ toolset }) => toolset?.includes(selector) === true);
};

/** Returns the presets that agents name and the gateway does not have, by name. Every call of such an agent is an error. @spec §7.1 */
export const unknownPresets = (
  agents: readonly Agent[],
  presets: readonly Pick<PresetCard, 'name'>[],
): readonly string[] => {
  const known = new Set(presets.map(({ name }) => name));
  const named = agents.flatMap(({ toolset }) => toolset ?? []);
  const names = named
    .filter((selector) => selector.startsWith(PREFIX))
    .map((selector) => selector.slice(PREFIX.length));
  return [...new Set(names)].filter((name) => !known.has(name)).toSorted();
};
