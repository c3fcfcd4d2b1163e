import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A package or app of this repository. */
export interface Member {
  readonly kind: 'packages' | 'apps';
  readonly name: string;
  /** Relative to the repository, with slashes: `packages/catalog`. */
  readonly folder: string;
}

const IGNORED = new Set(['node_modules', 'dist', 'fixtures', '.turbo']);

/** All packages, then all apps, by name. */
export const members = async (root: string): Promise<readonly Member[]> => {
  const found = await Promise.all(
    (['packages', 'apps'] as const).map(async (kind) => {
      const names = await readdir(join(root, kind));
      return names
        .filter((name) => existsSync(join(root, kind, name, 'package.json')))
        .sort()
        .map((name): Member => ({ kind, name, folder: `${kind}/${name}` }));
    }),
  );
  return found.flat();
};

/** The TypeScript files below a folder, relative to the repository, sorted; nothing installed, built or planted. */
export const typescriptFiles = async (root: string, folder: string): Promise<readonly string[]> => {
  if (!existsSync(join(root, folder))) return [];
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const files = await Promise.all(
    entries.map(async (entry): Promise<readonly string[]> => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory())
        return IGNORED.has(entry.name) ? [] : await typescriptFiles(root, path);
      return /\.tsx?$/.test(path) ? [path] : [];
    }),
  );
  return files.flat().sort();
};

/**
 * Loads a TypeScript module of the repository by its path, or nothing when there is no such file.
 * Works where the running program can load TypeScript: in vitest, and after `bin/load-typescript.mjs`.
 */
export const loadModule = async (root: string, path: string): Promise<object | undefined> => {
  const file = join(root, path);
  if (!existsSync(file)) return undefined;
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as object;
};
