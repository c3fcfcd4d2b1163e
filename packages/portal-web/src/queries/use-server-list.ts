import { useQuery } from '@tanstack/react-query';
import type { CatalogServer } from '@gateway/toolset-composer';
import { useBackend } from '../backend/backend-context.ts';
import { CATALOG_KEY, readServers } from './use-catalog.ts';

const NONE: readonly CatalogServer[] = [];

/** Reads the servers with their labels and families; none for a person who may not list them. @spec §2.6 */
export const useServerList = (): readonly CatalogServer[] => {
  const backend = useBackend();
  const { data = NONE } = useQuery({
    queryKey: [CATALOG_KEY, 'servers'],
    queryFn: ({ signal }) => readServers(backend, signal),
  });
  return data;
};
