import { readdir } from 'node:fs/promises';
import path from 'node:path';
import {
  ignoreMissing,
  makeDirectory,
  removeStaleTemporaryFiles,
  writeFailureText,
} from '@gateway/durable-files';
import type { OpenedReleases } from '../results/opened-releases.ts';
import { checkDirectory } from './check-directory.ts';
import { DirectoryStore } from './directory-store.ts';
import { isLabel, isYamlFile } from './file-name.ts';
import { MAX_TOLD_FILES } from './limits.ts';
import { MANIFEST_KINDS } from './manifest-kind.ts';

/** Which directory. */
export interface ReleaseDirectoryOptions {
  /** Absolute path of the directory; made when it is not there. */
  readonly directory: string;
  /** Managed namespaces; the first is that of model configurations that name none. */
  readonly namespaces: readonly [string, ...string[]];
  /** Told of files that are passed over, as a sentence that names the file. Must not throw. */
  readonly onWarning?: (sentence: string) => void;
}

/** Files that were put beside the folders of the namespaces instead of into one. */
const tellMisplaced = async (
  root: string,
  onWarning: (sentence: string) => void,
): Promise<void> => {
  for (const { folder, kind } of Object.values(MANIFEST_KINDS)) {
    const names = await readdir(path.join(root, folder)).catch(ignoreMissing);
    for (const name of (names ?? []).filter(isYamlFile).slice(0, MAX_TOLD_FILES)) {
      onWarning(
        `${folder}/${name} is not read: a ${kind} is in a file ${folder}/<namespace>/<name>.yaml`,
      );
    }
  }
};

/** Only the directory itself is made: one whose parent is not there is on a disk that is not mounted. */
const prepare = async (
  root: string,
  namespaces: readonly string[],
): Promise<string | undefined> => {
  const unusable = namespaces.find((namespace) => !isLabel(namespace));
  if (unusable !== undefined) {
    return `${JSON.stringify(unusable)} is not the name of a namespace`;
  }
  await makeDirectory(root);
  const folders = Object.values(MANIFEST_KINDS).flatMap(({ folder }) =>
    namespaces.map((namespace) => path.join(root, folder, namespace)),
  );
  const checked = await checkDirectory(root, folders);
  if (!checked.ok) return checked.refusal.message;
  for (const folder of folders) await removeStaleTemporaryFiles(folder);
  return undefined;
};

/**
 * Opens a directory of manifests, which any number of processes and people may have at the same time:
 * `releases/<namespace>/<name>.yaml`, `sources/<namespace>/<name>.yaml` and `modelconfigs/*.yaml`. Everything is read once. Never rejects.
 */
export const openReleaseDirectory = async (
  options: ReleaseDirectoryOptions,
): Promise<OpenedReleases> => {
  const { directory, namespaces, onWarning = () => undefined } = options;
  const root = path.resolve(directory);
  try {
    const problem = await prepare(root, namespaces);
    if (problem !== undefined) return { ok: false, problem };
    await tellMisplaced(root, onWarning);
  } catch (error) {
    const problem = `the directory of releases cannot be used: ${writeFailureText(error)}`;
    return { ok: false, problem };
  }
  const store = new DirectoryStore({ root, namespaces, onWarning });
  await store.begin();
  return { ok: true, store };
};
