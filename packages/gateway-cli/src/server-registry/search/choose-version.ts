import { coerce, parse, type SemVer } from 'semver';
import type { RegistryServer } from '../format/parse-registry.ts';

/** A registry accepts any text as a version: `1.0`, `v2`. */
const readVersion = (text: string): SemVer | null =>
  parse(text, { loose: true }) ?? coerce(text, { includePrerelease: true });

/** Compares two versions as Semantic Versioning does, negative when the first one is older. Texts without a number are older than versions. */
const compareVersions = (one: string, other: string): number => {
  const [left, right] = [readVersion(one), readVersion(other)];
  return left === null || right === null
    ? Number(left !== null) - Number(right !== null)
    : left.compare(right);
};

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
