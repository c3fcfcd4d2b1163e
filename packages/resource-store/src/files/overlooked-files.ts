import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { byText } from '../port/by-text.ts';
import { yamlBasename } from './interpretation/file-role.ts';

/** A file or folder that looks as if it were meant, and is not read. */
export interface OverlookedFile {
  readonly file: string;
  readonly message: string;
}

const MOST = 100;
const READ_NAMES = new Set(['config.yaml', 'mcpservers', 'workflows']);
/** What people call the two folders, in letters only. */
const MISNAMED = new Map([
  ['mcpserver', 'mcpservers'],
  ['mcpservers', 'mcpservers'],
  ['server', 'mcpservers'],
  ['servers', 'mcpservers'],
  ['workflow', 'workflows'],
  ['workflows', 'workflows'],
]);

const entriesOf = (directory: string): Promise<readonly Dirent[] | undefined> =>
  readdir(directory, { withFileTypes: true }).catch(() => undefined);

const aboveText = (entry: Dirent): string | undefined => {
  const { name } = entry;
  if (READ_NAMES.has(name) || name.startsWith('.')) return undefined;
  if (entry.isDirectory()) {
    const meant = MISNAMED.get(name.toLowerCase().replaceAll(/[^a-z]/gu, ''));
    return meant === undefined ? undefined : `is not read; resources are read from ${meant}/`;
  }
  return yamlBasename(name) === undefined
    ? undefined
    : 'is not read; here only config.yaml is, resources are read from mcpservers/ and workflows/';
};

const withinText = (entry: Dirent): string | undefined => {
  const { name } = entry;
  if (name.startsWith('.')) return undefined;
  if (entry.isDirectory()) return 'is not read; folders in here are left out';
  return /\.(?:json|ya?ml)$/iu.test(name) && yamlBasename(name) === undefined
    ? 'is not read; names of files end in .yaml or .yml'
    : undefined;
};

const found = (
  directory: string,
  entries: readonly Dirent[],
  textOf: (entry: Dirent) => string | undefined,
): readonly OverlookedFile[] =>
  entries.flatMap((entry) => {
    const message = textOf(entry);
    return message === undefined ? [] : [{ file: join(directory, entry.name), message }];
  });

/**
 * What in a configuration directory looks as if it were meant and is not read: a folder with nearly the right name, a resource in the
 * wrong place or with another ending, or a directory without anything to read. At most 100, by file. Hidden files are nobody's mistake.
 *
 * @spec §1.5
 */
export const overlookedFiles = async (directory: string): Promise<readonly OverlookedFile[]> => {
  const above = await entriesOf(directory);
  if (above === undefined) return [];
  const within = await Promise.all(
    ['mcpservers', 'workflows'].map(async (name) => {
      const folder = join(directory, name);
      return found(folder, (await entriesOf(folder)) ?? [], withinText);
    }),
  );
  const nothing = above.some(({ name }) => READ_NAMES.has(name))
    ? []
    : [{ file: directory, message: 'has neither config.yaml nor mcpservers/ nor workflows/' }];
  const rest = [...found(directory, above, aboveText), ...within.flat()];
  return [...nothing, ...rest.toSorted((a, b) => byText(a.file, b.file))].slice(0, MOST);
};
