import { readFileSync } from 'node:fs';
import { placeOf } from './places.ts';

/** A registry of packages. */
export type Registry = 'crates' | 'Go' | 'npm' | 'PyPI';

/** A package at a version. */
export interface Pinned {
  readonly registry: Registry;
  readonly package: string;
  readonly version: string;
}

const escaped = (name: string): string => name.replaceAll(/[.[\]]/gu, '\\$&');

/** How the files that pin versions name a package. */
const PATTERNS: Readonly<Record<Registry, (name: string) => string>> = {
  npm: (name) => `^\\s*['"]?${name}['"]?: "?([0-9][^"\\s]*)"?,?$`,
  PyPI: (name) => `^${name}==(\\S+)$`,
  Go: (name) => `^\\s*(?:require )?${name} v(\\S+)$`,
  crates: (name) => `^${name}(?:==| = \\{ version = "=)([0-9.]+)`,
};

/**
 * Returns a package at the version that a file pins.
 *
 * @param file relative to this package
 * @throws when the file does not name the package
 */
export function pinned(registry: Registry, name: string, file: string): Pinned {
  const pattern = new RegExp(PATTERNS[registry](escaped(name)), 'mu');
  const version = pattern.exec(readFileSync(placeOf(file), 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${file} does not pin ${name}`);
  return { registry, package: name, version };
}
