import path from 'node:path';
import { DirectoryHints, removeStaleTemporaryFiles } from '@gateway/files';
import type { ResourceKey } from '../port/resource-key.ts';
import type { ResourceProblem } from '../port/resource-problem.ts';
import type { GatewayStore } from '../port/resource-store.ts';
import type { ResourceState } from '../port/state.ts';
import { RESOURCE_DIRECTORIES } from './interpretation/file-role.ts';
import { DEFAULT_DEBOUNCE_MS, GRACE_MS, MAX_SCAN_MS } from './interpretation/limits.ts';
import { readUntilSettled } from './read-directory.ts';
import { StatusMemory } from './status-memory.ts';
import { DirectoryTracker, type TrackedDirectory } from './tracking/directory-tracker.ts';
import { FileStoreLoop } from './tracking/file-store-loop.ts';
import { ConfigFile } from './writing/config-file.ts';
import { ServerFiles } from './writing/server-files.ts';
import { WorkflowFiles } from './writing/workflow-files.ts';

/** Options of following a configuration directory. */
export interface FileStoreOptions extends TrackedDirectory {
  /** Called once for each problem that appears, including those at the start. Must not throw. */
  readonly onProblem?: (problem: ResourceProblem) => void;
  /** The debounce delay of a changed file, in milliseconds; 100 when absent. */
  readonly debounceMs?: number;
}

/**
 * Opens a configuration directory as a store. A change is in the state within a second, whole files only. A missing or invalid file keeps its
 * last valid version for 300 ms, because a write in two steps looks the same.
 *
 * @spec §1.5
 */
export const openFileStore = async (options: FileStoreOptions): Promise<GatewayStore> => {
  const { directory } = options;
  for (const written of [directory, ...resourceDirectories(directory)])
    await removeStaleTemporaryFiles(written);
  const loop = await startLoop(options);
  const statuses = new StatusMemory(() => loop.current);
  loop.subscribe(statuses.prune);
  const onWritten = (file: string): Promise<void> => loop.readNow(new Set([file]));
  const addressedBy = (find: typeof namespaceOfServer) => (key: ResourceKey) =>
    (find(loop.current, key.name) ?? key.namespace) === key.namespace;
  const servers = new ServerFiles({
    ...options,
    onWritten,
    isAddressed: addressedBy(namespaceOfServer),
  });
  const workflows = new WorkflowFiles({
    ...options,
    onWritten,
    isAddressed: addressedBy(namespaceOfWorkflow),
  });
  const config = new ConfigFile({ directory, onWritten });
  return {
    current: () => loop.current,
    subscribe: (listener) => loop.subscribe(listener),
    refresh: () => loop.readNow(EVERY_FILE),
    ...{ servers, workflows, config },
    writeStatus: statuses.writeStatus,
    status: statuses.status,
    close: async () => {
      await Promise.all([workflows.close(), servers.close(), config.close()]);
      await loop.close();
    },
  };
};

const startLoop = async ({
  debounceMs = DEFAULT_DEBOUNCE_MS,
  onProblem,
  ...target
}: FileStoreOptions): Promise<FileStoreLoop> => {
  const { directory } = target;
  const tracker = new DirectoryTracker(target, () => performance.now());
  const first = await readUntilSettled(tracker);
  return new FileStoreLoop({
    first,
    scan: (urgent) => tracker.scan({ debounceMs, graceMs: GRACE_MS, urgent, maxMs: MAX_SCAN_MS }),
    ...(onProblem === undefined ? {} : { onProblem }),
    hints: (onHint) => new DirectoryHints(directory, resourceDirectories(directory), onHint),
  });
};

/** Contains every file. */
class EveryFile extends Set<string> {
  override has(): boolean {
    return true;
  }
}

const EVERY_FILE: ReadonlySet<string> = new EveryFile();

const resourceDirectories = (directory: string): readonly string[] =>
  Object.values(RESOURCE_DIRECTORIES).map((name) => path.join(directory, name));

const namespaceOfServer = ({ servers }: ResourceState, name: string): string | undefined =>
  servers.find(({ metadata }) => metadata.name === name)?.metadata.namespace;

const namespaceOfWorkflow = ({ workflows }: ResourceState, name: string): string | undefined => {
  const found = workflows.find((workflow) => workflow.name === name);
  return found?.valid === true ? found.workflow.metadata.namespace : undefined;
};
