import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A package or app of this repository. */
export interface Member {
  readonly kind: 'packages' | 'apps';
  readonly name: string;
  /** Relative to the repository, with slashes: `packages/catalog`. */
  readonly folder: string;
}

/** All packages, then all apps, by name. */
export const listMembers = async (root: string): Promise<readonly Member[]> => {
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

/**
 * Loads a TypeScript module of the repository by its path, or nothing when there is no such file.
 * Works where the running program can load TypeScript: in vitest, and after `bin/load-typescript.mjs`.
 */
export const loadModule = async (root: string, path: string): Promise<object | undefined> => {
  const file = join(root, path);
  if (!existsSync(file)) return undefined;
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as object;
};

const IGNORED = new Set(['node_modules', 'dist', '.turbo', '.cache', 'coverage']);

const listPaths = async (root: string, folder: string): Promise<readonly string[]> => {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const paths = entries
    .filter(({ name }) => !IGNORED.has(name))
    .map(async (entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? listPaths(root, path) : [path];
    });
  return (await Promise.all(paths)).flat();
};

/** Returns the files below a folder whose path matches, with their texts, sorted; nothing that is installed or built. */
export const readTexts = async (
  root: string,
  folder: string,
  pattern: RegExp,
): Promise<readonly SourceText[]> => {
  if (!existsSync(join(root, folder))) return [];
  const files = (await listPaths(root, folder)).filter((path) => pattern.test(path)).sort();
  return Promise.all(
    files.map(async (file) => ({ file, text: await readFile(join(root, file), 'utf8') })),
  );
};

/** A file of the repository and its text. */
export interface SourceText {
  /** Relative to the repository, with slashes. */
  readonly file: string;
  readonly text: string;
}

/** An import of one file of the repository by another. */
export interface FileImport {
  readonly from: string;
  readonly to: string;
}

const RELATIVE = /(?:^(?:import|export)\b[^;]*?\bfrom |^import |\bimport\()'(?<path>\.[^']+)'/gms;

/** Returns the relative imports of a file, types included. */
export const findImports = ({ file, text }: SourceText): readonly FileImport[] =>
  [...text.matchAll(RELATIVE)].map((match) => ({
    from: file,
    to: posix.join(posix.dirname(file), match.groups?.['path'] ?? ''),
  }));

/**
 * A file that is made from the sources and committed. A package lists its own in `generated.ts`, as
 * `export const generated: readonly GeneratedFile[]`; `pnpm gen` finds and writes them.
 */
export interface GeneratedFile {
  /** Relative to the repository, with slashes. */
  readonly path: string;
  /** The whole text, with a final newline; the same for the same sources. */
  readonly text: () => string | Promise<string>;
}
