import { parse, type SemVer } from 'semver';

/** The longest version that the library reads. */
const MAX_CHARS = 256;

const LOOSE =
  /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?((?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?)$/;

/** Reads a version: a leading `v` and missing minor and patch numbers are forgiven. Nothing when it is none. */
export const readVersion = (text: string): SemVer | undefined => {
  if (text.length > MAX_CHARS) return undefined;
  const match = LOOSE.exec(text);
  if (match === null) return undefined;
  const [, major = '', minor = '0', patch = '0', rest = ''] = match;
  const numbers = [major, minor, patch].map((digits) => BigInt(digits).toString()).join('.');
  return parse(numbers + rest) ?? undefined;
};

/** Returns the build metadata of a version as it is written: `a.1`. */
export const metadataOf = (version: SemVer): string => version.build.join('.');

/** Returns the prerelease part of a version: `beta.1`. */
export const prereleaseOf = (version: SemVer): string => version.prerelease.join('.');
