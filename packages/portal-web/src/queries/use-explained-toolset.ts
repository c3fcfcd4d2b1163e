import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  EXPLAIN_KEY,
  explanationOf,
  resolutionOf,
  type Explanation,
  type Resolution,
  type ResolutionCall,
} from '@gateway/toolset-composer';
import { useBackend } from '../backend/backend-context.ts';
import { callForAnswer, type MetaToolAnswer } from '../mcp/meta-tools.ts';
import { CATALOG_KEY } from './use-catalog.ts';

const LIMIT = 5_000;

interface Explained {
  readonly resolution: Resolution;
  /** Absent without selectors, before the answer, and for a gateway that does not explain. */
  readonly explanation?: Explanation;
}

/** A toolset as the gateway resolves it for the person, with its reasons. */
export interface ExplainedToolset extends Explained {
  /** The facts are those of the former selectors, until the gateway answers. */
  readonly isUpdating: boolean;
}

const explainedOf = ({ answer, meta }: MetaToolAnswer): Explained => {
  const explanation = explanationOf(meta);
  return {
    resolution: resolutionOf({ kind: 'answered', answer }),
    ...(explanation !== undefined && { explanation }),
  };
};

const without = (call: ResolutionCall): ExplainedToolset => ({
  resolution: resolutionOf(call),
  isUpdating: false,
});

/** Resolves a toolset for the person with the reasons of the gateway; idle without selectors. @spec §4.3 */
export const useExplainedToolset = (toolset: readonly string[]): ExplainedToolset => {
  const { gateway } = useBackend();
  const isEnabled = toolset.length > 0;
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [CATALOG_KEY, 'explained', toolset],
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    select: explainedOf,
    queryFn: ({ signal }) =>
      callForAnswer(
        gateway,
        'filter_tools',
        { toolset: [...toolset], limit: LIMIT },
        { signal, meta: { [EXPLAIN_KEY]: true } },
      ),
  });
  if (!isEnabled) return without({ kind: 'idle' });
  if (error !== null) return without({ kind: 'failed', message: error.message });
  if (data === undefined) return without({ kind: 'pending' });
  return { ...data, isUpdating: isPlaceholderData };
};
