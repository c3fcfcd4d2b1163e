import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceText } from './source-imports.ts';

const IGNORED = new Set(['node_modules', 'dist', '.turbo', '.cache', 'coverage']);

const pathsBelow = async (root: string, folder: string): Promise<readonly string[]> => {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const paths = entries
    .filter(({ name }) => !IGNORED.has(name))
    .map(async (entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? pathsBelow(root, path) : [path];
    });
  return (await Promise.all(paths)).flat();
};

/** Returns the files below a folder whose path matches, with their texts, sorted; nothing that is installed or built. */
export const textsBelow = async (
  root: string,
  folder: string,
  pattern: RegExp,
): Promise<readonly SourceText[]> => {
  if (!existsSync(join(root, folder))) return [];
  const files = (await pathsBelow(root, folder)).filter((path) => pattern.test(path)).sort();
  return Promise.all(
    files.map(async (file) => ({ file, text: await readFile(join(root, file), 'utf8') })),
  );
};
