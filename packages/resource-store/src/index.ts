export { openEventLog, type EventLogLimits } from './events/open-event-log.ts';
export { resourceEvents } from './events/resource-events.ts';
export {
  openFileStore,
  type FileStore,
  type FileStoreOptions,
  type StoreListener,
} from './open-file-store.ts';
export type { ConfigWriter, ConfigWriteResult } from './config-writer.ts';
export type { FileTimes, ReadOptions, ReadText } from './files/read-text.ts';
export { readTextFile } from './files/read-text-file.ts';
export { readTextFileSync } from './files/read-text-file-sync.ts';
export { errorCodeOf } from './files/error-code.ts';
export { fingerprintOf } from './files/fingerprint.ts';
export { rewriteYaml } from './rewriting/rewrite-yaml.ts';
export { overlookedFiles, type OverlookedFile } from './overlooked-files.ts';
export { readDirectory } from './read-directory.ts';
export type { RecordBlobs } from './record-blobs.ts';
export { openRecordDirectory } from './record-directory.ts';
export {
  placedProblemText,
  resourceProblemText,
  type ResourceProblem,
  type ResourceProblemKind,
} from './resource-problem.ts';
export type { ServerWriter, ServerWriteResult } from './server-writer.ts';
export {
  openStateDirectory,
  type OpenedStateDirectory,
  type StateDirectory,
  type StateText,
} from './state-directory/open-state-directory.ts';
export type { ConfigDocument, StoreState } from './store-state.ts';
export type { InvalidWorkflow, ValidWorkflow, WorkflowResource } from './workflow-resource.ts';
export type { FileWriteResult, InvalidWrite } from './write-result.ts';
export type { WorkflowWriteResult, WorkflowWriter } from './workflow-writer.ts';
export { differencePatch } from './writing/difference-patch.ts';
export { claimFile, type ClaimOptions, type FileClaim } from './writing/claim-file.ts';
export { KeyedQueue } from './writing/keyed-queue.ts';
export { mergePatch } from './writing/merge-patch.ts';
export { removeLeftOvers } from './writing/temporary-file.ts';
export { writeFailureText } from './writing/write-failure.ts';
export {
  createWholeFile,
  replaceWholeFileIf,
  syncDirectory,
  type WriteOptions,
} from './writing/write-whole-file.ts';
export { parseYaml, parseYamlDocuments, type ParsedYaml } from './yaml/parse-yaml.ts';
export type { YamlProblem } from './yaml/compose-yaml.ts';
export type { DocumentPath, Position } from './yaml/yaml-position.ts';
