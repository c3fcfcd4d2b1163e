import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { AgentStore, KubernetesObject } from '../../src/store/agent-store.ts';
import { onTestFinished } from 'vitest';
import { openReleaseDirectory } from '../../src/index.ts';
import type { StoreUnderTest } from '../suite/agent-store-suite.ts';

/** A real directory of its own for one test. */
export interface ReleaseDirectory {
  readonly directory: string;
  readonly at: (...parts: string[]) => string;
  readonly read: (file: string) => Promise<string>;
  /** Writes a file as some editors do: its folder is made, its content replaced in place. */
  readonly write: (file: string, text: string | Uint8Array) => Promise<void>;
  /** Writes a temporary file and renames it over the target, as editors and Git do. */
  readonly replace: (file: string, text: string) => Promise<void>;
  readonly names: (folder: string) => Promise<readonly string[]>;
  /** The warnings of the stores of this directory. */
  readonly warnings: string[];
  /** A store of it, which the test's end closes. */
  readonly open: () => Promise<AgentStore>;
}

export const releaseDirectory = async (): Promise<ReleaseDirectory> => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'agent-releases-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const at = (...parts: string[]): string => path.join(directory, ...parts);
  const write: ReleaseDirectory['write'] = async (file, text) => {
    await mkdir(path.dirname(at(file)), { recursive: true });
    await writeFile(at(file), text);
  };
  const warnings: string[] = [];
  return {
    directory,
    at,
    write,
    warnings,
    read: (file) => readFile(at(file), 'utf8'),
    replace: async (file, text) => {
      await write(`${file}.new`, text);
      await rename(at(`${file}.new`), at(file));
    },
    names: async (folder) => (await readdir(at(folder)).catch(() => [])).sort(),
    open: async () => {
      const opened = await openReleaseDirectory({
        directory,
        namespaces: ['default', 'tenant'],
        onWarning: (sentence) => warnings.push(sentence),
      });
      if (!opened.ok) throw new Error(opened.problem);
      onTestFinished(() => opened.store.close());
      return opened.store;
    },
  };
};

const fileOf = (folder: string, { metadata: { namespace, name } }: KubernetesObject): string =>
  `${folder}/${namespace}/${name}.yaml`;

/** The directory as the shared suite sees it. JSON is YAML too. */
export const storeUnderTest = async (): Promise<StoreUnderTest> => {
  const { open, write, replace, at } = await releaseDirectory();
  let isInPlace = false;
  return {
    store: await open(),
    another: open,
    outsider: {
      writeRelease: (release) => {
        isInPlace = !isInPlace;
        const text = JSON.stringify(release);
        return (isInPlace ? write : replace)(fileOf('releases', release), text);
      },
      deleteRelease: ({ namespace, name }) => rm(at('releases', namespace, `${name}.yaml`)),
      writeModelConfig: (model) =>
        write(`modelconfigs/${model.metadata.name}.yaml`, JSON.stringify(model)),
    },
  };
};
