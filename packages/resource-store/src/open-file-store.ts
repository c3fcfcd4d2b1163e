import path from 'node:path';
import { ConfigFile } from './config-writing/config-file.ts';
import type { ConfigWriter } from './config-writer.ts';
import { DirectoryHints, removeStaleTemporaryFiles } from '@gateway/durable-files';
import { DirectoryTracker, type TrackedDirectory } from './files/directory-tracker.ts';
import { RESOURCE_DIRECTORIES } from './files/scan-directory.ts';
import { FileStoreLoop } from './file-store-loop.ts';
import { DEFAULT_DEBOUNCE_MS, GRACE_MS } from './limits.ts';
import { lookAtOnce } from './read-directory.ts';
import type { ResourceProblem } from './resource-problem.ts';
import type { ServerWriter } from './server-writer.ts';
import { ServerFiles } from './servers/server-files.ts';
import type { StoreState } from './store-state.ts';
import { WorkflowFiles } from './workflows/workflow-files.ts';
import type { WorkflowWriter } from './workflow-writer.ts';

/** How to follow a configuration directory. */
export interface FileStoreOptions extends TrackedDirectory {
  /** Told once of each problem that appears, those at the start included. Must not throw. */
  readonly onProblem?: (problem: ResourceProblem) => void;
  /** How long a file must be left alone before it is read, in milliseconds; 100 when absent. */
  readonly debounceMs?: number;
}

/** Told of every new state, with the one before. Must not throw. */
export type StoreListener = (state: StoreState, previous: StoreState) => void;

/** A configuration directory that is followed. @spec §1.5 */
export interface FileStore {
  readonly current: () => StoreState;
  /** Tells the listener of changes from now on. @returns a function that ends it */
  readonly subscribe: (listener: StoreListener) => () => void;
  /** Writes workflow files. */
  readonly workflows: WorkflowWriter;
  /** Writes the files of servers. */
  readonly servers: ServerWriter;
  /** Writes `config.yaml`. */
  readonly config: ConfigWriter;
  /** Looks at every file now; what changed is in the state when it is done, and listeners were told. */
  readonly refresh: () => Promise<void>;
  /** Ends the following; when it is done nothing is left running. May be called again. */
  readonly close: () => Promise<void>;
}

/**
 * Reads a configuration directory and follows it: a change is in the state within a second, whole files only. A file
 * that is gone or wrong keeps its last good version for 300 ms, since writing a file in two steps looks like that.
 *
 * @spec §1.5
 */
export const openFileStore = async (options: FileStoreOptions): Promise<FileStore> => {
  const { directory, debounceMs = DEFAULT_DEBOUNCE_MS } = options;
  for (const written of [directory, ...resourceDirectories(directory)])
    await removeStaleTemporaryFiles(written);
  const tracker = new DirectoryTracker(options, () => performance.now());
  const first = await lookAtOnce(tracker);
  const loop = new FileStoreLoop({
    first,
    look: (urgent) => tracker.look({ debounceMs, graceMs: GRACE_MS, urgent }),
    ...(options.onProblem === undefined ? {} : { onProblem: options.onProblem }),
    hints: (onHint) => new DirectoryHints([directory, ...resourceDirectories(directory)], onHint),
  });
  const onWritten = (file: string): Promise<void> => loop.lookNow(new Set([file]));
  const workflows = new WorkflowFiles({ ...options, onWritten });
  const servers = new ServerFiles({ ...options, onWritten });
  const config = new ConfigFile({ directory, onWritten });
  return {
    current: () => loop.current,
    subscribe: (listener) => loop.subscribe(listener),
    workflows,
    servers,
    config,
    refresh: () => loop.lookNow(EVERY_FILE),
    close: async () => {
      await Promise.all([workflows.close(), servers.close(), config.close()]);
      await loop.close();
    },
  };
};

class EveryFile extends Set<string> {
  override has(): boolean {
    return true;
  }
}

const EVERY_FILE: ReadonlySet<string> = new EveryFile();

const resourceDirectories = (directory: string): readonly string[] =>
  Object.values(RESOURCE_DIRECTORIES).map((name) => path.join(directory, name));
