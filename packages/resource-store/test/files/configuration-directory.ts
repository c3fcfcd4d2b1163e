import { linkSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import {
  openFileStore,
  formatProblem,
  readDirectory,
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

/** The texts of files by path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Creates a directory with these files, which the end of the test removes. */
export const configurationDirectory = async (files: Files = {}) => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'resource-store-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const at = (...parts: string[]): string => path.join(directory, ...parts);
  const write = async (file: string, text: string | Uint8Array): Promise<void> => {
    await mkdir(path.dirname(at(file)), { recursive: true });
    await writeFile(at(file), text);
  };
  await mkdir(at('mcpservers'));
  for (const [file, text] of Object.entries(files)) await write(file, text);
  return {
    directory,
    at,
    write,
    text: (file: string): Promise<string> => readFile(at(file), 'utf8'),
    files: (folder: string): Promise<string[]> => readdir(at(folder)),
    rename: (from: string, to: string): Promise<void> => rename(at(from), at(to)),
    /** Writes a temporary file and renames it over the target, as editors do. */
    replace: async (file: string, text: string): Promise<void> => {
      await write(`${file}.tmp`, text);
      await rename(at(`${file}.tmp`), at(file));
    },
    remove: (file: string): Promise<void> => rm(at(file), { recursive: true }),
  };
};

export type ConfigurationDirectory = Awaited<ReturnType<typeof configurationDirectory>>;

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

/** `name=command` of every server, `name=tools` of every valid workflow, `name!` of the others. */
export const contentOf = ({ servers, workflows }: StoreState): readonly string[] => [
  ...servers.map(({ metadata, spec }) =>
    spec.type === 'stdio' ? `${metadata.name}=${spec.command}` : metadata.name,
  ),
  ...workflows.map(({ name, valid, status }) =>
    valid ? `${name}=${status.referencedTools.join('+')}` : `${name}!`,
  ),
];

/** The lines of all problems, with paths relative to the directory. */
const problemLines = (state: StoreState, directory: string): readonly string[] =>
  [...state.configProblems, ...state.problems].map((problem) =>
    formatProblem({ ...problem, source: path.relative(directory, problem.source) }),
  );

/** Reads a directory with these files. */
export const readFiles = async (files: Files, options: ReadOptions = {}) => {
  const configuration = await configurationDirectory(files);
  return { ...configuration, ...(await readAgain(configuration.directory, options)) };
};

/** Reads a directory. */
export const readAgain = async (directory: string, options: ReadOptions = {}) => {
  const state = await readDirectory(directory, options);
  return { state, content: contentOf(state), lines: problemLines(state, directory) };
};

/** Opens a store of a directory with these files, and records its states, the present one first. */
export const openedDirectory = async (files: Files = {}, options: Partial<FileStoreOptions> = {}) =>
  follow(await configurationDirectory(files), options);

/** Opens a store of a directory. */
export const follow = async <T extends { readonly directory: string }>(
  configuration: T,
  options: Partial<FileStoreOptions> = {},
) => {
  const { directory } = configuration;
  const store = await opened({ ...options, directory });
  const states = [store.current()];
  store.subscribe((state) => states.push(state));
  return {
    ...configuration,
    store,
    states,
    lines: () => problemLines(store.current(), directory),
    contents: () => states.map(contentOf),
    content: () => contentOf(store.current()),
    /** Waits for a content. Returns the milliseconds that it took. */
    shows: (...content: string[]): Promise<number> =>
      until(store, (state) => contentOf(state).join() === content.join()),
  };
};

type ReadOptions = Parameters<typeof readDirectory>[1];

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
