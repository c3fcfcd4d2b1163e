import { linkSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import {
  openFileStore,
  formatProblem,
  type GatewayStore,
  type StoreState,
} from '../../src/index.ts';
import type { FileStoreOptions } from '../../src/files/open-file-store.ts';

/** A stdio server as a file. */
export const serverText = (name: string, command = 'run'): string =>
  `apiVersion: gateway.internal/v1alpha1
kind: MCPServer
metadata:
  name: ${name}
spec:
  type: stdio
  command: ${command}
`;

/** A real directory of its own for one test. */
export interface ConfigurationDirectory {
  readonly directory: string;
  readonly at: (...parts: string[]) => string;
  readonly write: (file: string, text: string | Uint8Array) => Promise<void>;
  /** Writes a temporary file and renames it over the target, as editors do. */
  readonly replace: (file: string, text: string) => Promise<void>;
  readonly remove: (file: string) => Promise<void>;
}

export const configurationDirectory = async (): Promise<ConfigurationDirectory> => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'resource-store-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await mkdir(path.join(directory, 'mcpservers'));
  const at = (...parts: string[]): string => path.join(directory, ...parts);
  return {
    directory,
    at,
    write: (file, text) => writeFile(at(file), text),
    replace: async (file, text) => {
      await writeFile(at(`${file}.tmp`), text);
      await rename(at(`${file}.tmp`), at(file));
    },
    remove: (file) => rm(at(file), { recursive: true }),
  };
};

/** Makes thousands of empty files of these names: names of one file, which cost next to nothing. */
export const writeManyEmpty = async (
  { directory, at }: ConfigurationDirectory,
  folder: string,
  names: readonly string[],
): Promise<void> => {
  const empty = path.join(directory, 'empty');
  await writeFile(empty, '');
  for (const name of names) linkSync(empty, at(folder, name));
};

/** Does something as a user for whom permissions count, which they do not for the superuser. */
export const asOrdinaryUser = async <T>(directory: string, task: () => Promise<T>): Promise<T> => {
  if (process.getuid?.() !== 0) return task();
  const { mode } = await stat(directory);
  await chmod(directory, mode | 0o055);
  process.seteuid?.('nobody');
  try {
    return await task();
  } finally {
    process.seteuid?.(0);
  }
};

/** Opens a store that the test's end closes. */
export const opened = async (options: FileStoreOptions): Promise<GatewayStore> => {
  const store = await openFileStore(options);
  onTestFinished(() => store.close());
  return store;
};

/** `name=command` of every stdio server of a state. */
export const commandsOf = (state: StoreState): readonly string[] =>
  state.servers.map(({ metadata, spec }) =>
    spec.type === 'stdio' ? `${metadata.name}=${spec.command}` : metadata.name,
  );

/** The lines of all problems, with paths relative to the directory. */
export const problemLines = (state: StoreState, directory: string): readonly string[] =>
  [...state.configProblems, ...state.problems].map((problem) =>
    formatProblem({ ...problem, source: path.relative(directory, problem.source) }),
  );

/** Every state from now on, the present one first. */
export const recorded = (store: GatewayStore): readonly StoreState[] => {
  const states = [store.current()];
  store.subscribe((state) => states.push(state));
  return states;
};

const TICK_MS = 5;

/**
 * Waits until a state satisfies the condition; gives up after a minute. @returns the milliseconds it took by the timers of this process: those
 * of the store and this one wait together while other processes occupy the machine
 */
export const until = async (
  store: GatewayStore,
  condition: (state: StoreState) => boolean,
): Promise<number> => {
  if (condition(store.current())) return 0;
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, TICK_MS);
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      unsubscribe();
      reject(new Error(`not reached; last state: ${JSON.stringify(store.current())}`));
    }, 60_000);
    const unsubscribe = store.subscribe((state) => {
      if (!condition(state)) return;
      clearTimeout(timer);
      unsubscribe();
      resolve();
    });
  }).finally(() => clearInterval(ticking));
  return ticks * TICK_MS;
};
