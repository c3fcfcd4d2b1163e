import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { resolutionOf, type Resolution, type ResolutionCall } from '@gateway/toolset-composer';
import { useBackend } from '../backend/backend-context.ts';
import { callMetaTool, GatewayError } from '../mcp/meta-tools.ts';
import { CATALOG_KEY } from './use-catalog.ts';

/** The number of tools that a page shows of a resolution. */
const LIMIT = 2_000;

/** The gateway, or the backend in front of it, did not answer. */
const ABSENT: ReadonlySet<number> = new Set([0, 502]);

const isAbsent = (error: Error): boolean =>
  error instanceof GatewayError && ABSENT.has(error.status);

const callOf = ({ data, error, fetchStatus }: UseQueryResult): ResolutionCall => {
  if (error !== null)
    return isAbsent(error) ? { kind: 'no-gateway' } : { kind: 'failed', message: error.message };
  if (data !== undefined) return { kind: 'answered', answer: data };
  return { kind: fetchStatus === 'idle' ? 'idle' : 'pending' };
};

/** Resolves a toolset for the person; idle without selectors. @spec §4.3 */
export const useResolution = (toolset: readonly string[]): Resolution => {
  const { gateway } = useBackend();
  const answer = useQuery({
    queryKey: [CATALOG_KEY, 'resolution', toolset],
    enabled: toolset.length > 0,
    queryFn: ({ signal }) =>
      callMetaTool(gateway, 'filter_tools', { toolset: [...toolset], limit: LIMIT }, { signal }),
  });
  return resolutionOf(callOf(answer));
};
