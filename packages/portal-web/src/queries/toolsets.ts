import {
  EXPLAIN_KEY,
  type Explanation,
  readExplanation,
  parsePresetCards,
  type PresetCards,
  type ResolutionState,
  type ResolutionCall,
  parseResolution,
} from '@gateway/toolset-composer';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useBackend } from '../backend/backend.ts';
import { callForAnswer, callMetaTool, GatewayError, type ToolAnswer } from '../mcp/meta-tools.ts';
import { CATALOG_KEY } from './catalog.ts';
import { useToolAnswer } from './core-tools.ts';

const STALE_MS = 60_000;
const ARGUMENTS = { include_presets: true, limit: 1 };

/** The presets, and whether the gateway may still name others. */
interface PresetsQuery extends PresetCards {
  readonly isPending: boolean;
}

/** Reads the presets of the installation; the built-in ones until the gateway answers, and when it does not. @spec §2.3 */
export const usePresets = (): PresetsQuery => {
  const { data, isPending } = useToolAnswer(
    { key: ['presets'], tool: 'filter_tools', args: ARGUMENTS, parse: (answer) => answer },
    { staleTime: STALE_MS },
  );
  return { ...parsePresetCards(data), isPending };
};

/** The number of tools that a page shows of a resolution. */
const MAX_TOOLS = 2_000;

/** The gateway, or the backend in front of it, did not answer. */
const ABSENT: ReadonlySet<number> = new Set([0, 502]);

const isAbsent = (error: Error): boolean =>
  error instanceof GatewayError && ABSENT.has(error.status);

const toCall = ({ data, error, fetchStatus }: UseQueryResult): ResolutionCall => {
  if (error !== null)
    return isAbsent(error) ? { kind: 'no-gateway' } : { kind: 'failed', message: error.message };
  if (data !== undefined) return { kind: 'answered', answer: data };
  return { kind: fetchStatus === 'idle' ? 'idle' : 'pending' };
};

/** Resolves a toolset for the user; idle without selectors. @spec §4.3 */
export const useResolution = (toolset: readonly string[]): ResolutionState => {
  const { gateway } = useBackend();
  const answer = useQuery({
    queryKey: [CATALOG_KEY, 'resolution', toolset],
    enabled: toolset.length > 0,
    queryFn: ({ signal }) =>
      callMetaTool(
        gateway,
        'filter_tools',
        { toolset: [...toolset], limit: MAX_TOOLS },
        { signal },
      ),
  });
  return parseResolution(toCall(answer));
};

const MAX_EXPLAINED_TOOLS = 5_000;

interface ToolsetAnswer {
  readonly resolution: ResolutionState;
  /** Absent without selectors, before the answer, and for a gateway that does not explain. */
  readonly explanation?: Explanation;
}

/** A toolset as the gateway resolves it for the user, with its reasons. */
export interface ToolsetPreview extends ToolsetAnswer {
  /** The facts are those of the former selectors, until the gateway answers. */
  readonly isUpdating: boolean;
}

const parseExplanation = ({ answer, meta }: ToolAnswer): ToolsetAnswer => {
  const explanation = readExplanation(meta);
  return {
    resolution: parseResolution({ kind: 'answered', answer }),
    ...(explanation !== undefined && { explanation }),
  };
};

const withoutExplanation = (call: ResolutionCall): ToolsetPreview => ({
  resolution: parseResolution(call),
  isUpdating: false,
});

/** Resolves a toolset for the user with the reasons of the gateway; idle without selectors. @spec §4.3 */
export const useToolsetExplanation = (toolset: readonly string[]): ToolsetPreview => {
  const { gateway } = useBackend();
  const isEnabled = toolset.length > 0;
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [CATALOG_KEY, 'explained', toolset],
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    select: parseExplanation,
    queryFn: ({ signal }) =>
      callForAnswer(
        gateway,
        'filter_tools',
        { toolset: [...toolset], limit: MAX_EXPLAINED_TOOLS },
        { signal, meta: { [EXPLAIN_KEY]: true } },
      ),
  });
  if (!isEnabled) return withoutExplanation({ kind: 'idle' });
  if (error !== null) return withoutExplanation({ kind: 'failed', message: error.message });
  if (data === undefined) return withoutExplanation({ kind: 'pending' });
  return { ...data, isUpdating: isPlaceholderData };
};
