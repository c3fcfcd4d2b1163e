import { useQuery } from '@tanstack/react-query';
import { presetCards, type PresetCards } from '@gateway/toolset-composer';
import { useBackend } from '../backend/backend-context.ts';
import { callMetaTool } from '../mcp/meta-tools.ts';

const STALE_MS = 60_000;
const ARGUMENTS = { include_presets: true, limit: 1 };

/** The presets, and whether the gateway may still name others. */
export interface KnownPresets extends PresetCards {
  readonly isPending: boolean;
}

/** Reads the presets of the installation; the built-in ones until the gateway answers, and when it does not. @spec §2.3 */
export const usePresets = (): KnownPresets => {
  const { gateway } = useBackend();
  const answer = useQuery({
    queryKey: ['presets'],
    staleTime: STALE_MS,
    queryFn: ({ signal }) => callMetaTool(gateway, 'filter_tools', ARGUMENTS, { signal }),
  });
  return { ...presetCards(answer.data), isPending: answer.isPending };
};
