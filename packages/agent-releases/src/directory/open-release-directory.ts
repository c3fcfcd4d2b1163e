import { readdir } from 'node:fs/promises';
import path from 'node:path';
import {
  ignoreMissing,
  makeDirectory,
  removeStaleTemporaryFiles,
  writeFailureText,
} from '@gateway/files';
import type { OpenedReleases } from '../results/opened-releases.ts';
import { checkDirectory } from './check-directory.ts';
import { DirectoryStore } from './directory-store.ts';
import { isLabel, isYamlFile } from './file-name.ts';
import { MAX_REPORTED_FILES } from './limits.ts';
import { MANIFEST_KINDS } from './manifest-kind.ts';

/** The directory and the namespaces of a store. */
export interface ReleaseDirectoryOptions {
  /** The absolute path of the directory, which is created when it is missing. */
  readonly directory: string;
  /** The managed namespaces; the first one is the default of model configurations. */
  readonly namespaces: readonly [string, ...string[]];
  /** Called for each skipped file, with a sentence that names it. Must not throw. */
  readonly onWarning?: (sentence: string) => void;
}

/** Reports files next to the folders of the namespaces instead of in one. */
const reportMisplaced = async (
  root: string,
  onWarning: (sentence: string) => void,
): Promise<void> => {
  for (const { folder, kind } of Object.values(MANIFEST_KINDS)) {
    const names = await readdir(path.join(root, folder)).catch(ignoreMissing);
    for (const name of (names ?? []).filter(isYamlFile).slice(0, MAX_REPORTED_FILES)) {
      onWarning(
        `${folder}/${name} is not read: a ${kind} is in a file ${folder}/<namespace>/<name>.yaml`,
      );
    }
  }
};

/** Creates the directory, but not its parent, which may be a disk that is not mounted. Returns the problem, if any. */
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
 * Opens a directory of manifests, which any number of processes and people can use at the same time:
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
    await reportMisplaced(root, onWarning);
  } catch (error) {
    const problem = `the directory of releases cannot be used: ${writeFailureText(error)}`;
    return { ok: false, problem };
  }
  const store = new DirectoryStore({ root, namespaces, onWarning });
  await store.begin();
  return { ok: true, store };
};
