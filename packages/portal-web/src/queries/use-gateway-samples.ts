import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useBackend } from '../backend/backend-context.ts';
import { gatewaySampleOf, type GatewaySample } from '../metrics/gateway-sample.ts';

const POLL_MS = 5_000;
const MAX_SAMPLES = 60;
const KEY = ['gateway-samples'];

/** Reads the metrics of the gateway every five seconds, and keeps those of the last five minutes. */
export const useGatewaySamples = (): UseQueryResult<readonly GatewaySample[]> => {
  const { readMetrics } = useBackend();
  return useQuery<readonly GatewaySample[]>({
    queryKey: KEY,
    refetchInterval: POLL_MS,
    staleTime: POLL_MS,
    queryFn: async ({ signal, client }) => {
      const sample = gatewaySampleOf(await readMetrics(signal), performance.now());
      const before = client.getQueryData<readonly GatewaySample[]>(KEY) ?? [];
      return [...before, sample].slice(-MAX_SAMPLES);
    },
  });
};
