import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { resolutionOf, type Resolution } from '@gateway/toolset-composer';
import { useBackend } from '../../backend/backend-context.ts';
import { callCoreTool, callMetaTool } from '../../mcp/meta-tools.ts';
import { CATALOG_KEY } from '../../queries/use-catalog.ts';
import { presetRulesOf, type PresetRules } from './preset-rules.ts';

/** Reads the rules of a preset, as far as the person may read the configuration. `null` for an unknown preset. @spec §2.2 */
export const usePresetRules = (name: string): UseQueryResult<PresetRules | null> => {
  const { gateway } = useBackend();
  return useQuery({
    queryKey: ['presets', 'rules'],
    queryFn: ({ signal }) => callCoreTool(gateway, 'core_config_get_aggregator', {}, { signal }),
    select: (answer) => presetRulesOf(answer, name) ?? null,
  });
};

/** Reads how many tools a selector selects for the person. @spec §4.3 */
export const useToolCount = (selector: string): UseQueryResult<Resolution> => {
  const { gateway } = useBackend();
  return useQuery({
    queryKey: [CATALOG_KEY, 'count', selector],
    queryFn: ({ signal }) =>
      callMetaTool(gateway, 'filter_tools', { toolset: [selector], limit: 1 }, { signal }),
    select: (answer): Resolution => resolutionOf({ kind: 'answered', answer }),
  });
};
