export { openEventLog, type EventLogLimits } from './events/open-event-log.ts';
export { resourceEvents } from './events/resource-events.ts';
export {
  openFileStore,
  type FileStore,
  type FileStoreOptions,
  type StoreListener,
} from './open-file-store.ts';
export type { ConfigWriter, ConfigWriteResult } from './config-writer.ts';
export { overlookedFiles, type OverlookedFile } from './overlooked-files.ts';
export { readDirectory } from './read-directory.ts';
export {
  placedProblemText,
  resourceProblemText,
  type ResourceProblem,
  type ResourceProblemKind,
} from './resource-problem.ts';
export type { ServerWriter, ServerWriteResult } from './server-writer.ts';
export type { ConfigDocument, StoreState } from './store-state.ts';
export type { InvalidWorkflow, ValidWorkflow, WorkflowResource } from './workflow-resource.ts';
export type { FileWriteResult, InvalidWrite } from './write-result.ts';
export type { WorkflowWriteResult, WorkflowWriter } from './workflow-writer.ts';
export {
  differencePatch,
  errorCodeOf,
  mergePatch,
  openRecordDirectory,
  openStateDirectory,
  parseYaml,
  rewriteYaml,
  writeFailureText,
  type DocumentPath,
  type FileTimes,
  type ParsedYaml,
  type Position,
  type RecordBlobs,
  type StateDirectory,
  type StateText,
  type OpenedStateDirectory,
} from '@gateway/durable-files';
