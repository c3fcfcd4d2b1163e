import type { RegistryServer } from '../format/parse-registry.ts';
import { compareVersions } from './compare-versions.ts';

/**
 * Returns the version of a server to use: the given one, otherwise the version that the registry marks as the latest, otherwise the newest that
 * is not deleted. Returns `undefined` when there is none.
 */
export const chooseVersion = (
  servers: readonly RegistryServer[],
  version?: string,
): RegistryServer | undefined => {
  if (version !== undefined) return servers.find((server) => server.version === version);
  const present = servers.filter(({ status }) => status !== 'deleted');
  return (
    present.find(({ isLatest }) => isLatest) ??
    present.toSorted((one, other) => compareVersions(other.version, one.version))[0]
  );
};
