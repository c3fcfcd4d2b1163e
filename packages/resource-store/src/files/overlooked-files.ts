import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { byText } from '../port/resources.ts';
import { yamlBasename } from './scan-directory.ts';

/** A file or folder that looks like configuration and is not read. */
export interface OverlookedFile {
  readonly file: string;
  readonly message: string;
}

const MAX_OVERLOOKED_FILES = 100;
const READ_NAMES = new Set(['config.yaml', 'mcpservers', 'workflows']);
/** Common wrong names of the two folders, in letters only. */
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

const rootEntryText = (entry: Dirent): string | undefined => {
  const { name } = entry;
  if (READ_NAMES.has(name) || name.startsWith('.')) return undefined;
  if (entry.isDirectory()) {
    const expected = MISNAMED.get(name.toLowerCase().replaceAll(/[^a-z]/gu, ''));
    return expected === undefined ? undefined : `is not read; resources are read from ${expected}/`;
  }
  return yamlBasename(name) === undefined
    ? undefined
    : 'is not read; here only config.yaml is, resources are read from mcpservers/ and workflows/';
};

const folderEntryText = (entry: Dirent): string | undefined => {
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
 * Returns the entries of a configuration directory that look like configuration and are not read: a folder with a similar name, a resource
 * in the wrong folder or with another extension, or a directory without any configuration. Returns at most 100, sorted by file. Hidden
 * files are ignored.
 *
 * @spec §1.5
 */
export const overlookedFiles = async (directory: string): Promise<readonly OverlookedFile[]> => {
  const rootEntries = await entriesOf(directory);
  if (rootEntries === undefined) return [];
  const folderFiles = await Promise.all(
    ['mcpservers', 'workflows'].map(async (name) => {
      const folder = join(directory, name);
      return found(folder, (await entriesOf(folder)) ?? [], folderEntryText);
    }),
  );
  const nothing = rootEntries.some(({ name }) => READ_NAMES.has(name))
    ? []
    : [{ file: directory, message: 'has neither config.yaml nor mcpservers/ nor workflows/' }];
  const rest = [...found(directory, rootEntries, rootEntryText), ...folderFiles.flat()];
  return [...nothing, ...rest.toSorted((a, b) => byText(a.file, b.file))].slice(
    0,
    MAX_OVERLOOKED_FILES,
  );
};
