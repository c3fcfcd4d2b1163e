export { resourceEvents } from './events/resource-events.ts';
export type { ParseElsewhere } from './files/interpretation/file-interpreter.ts';
export { openFileStore, type FileStoreOptions } from './files/open-file-store.ts';
export { overlookedFiles } from './files/overlooked-files.ts';
export { readDirectory } from './files/read-directory.ts';
export {
  openServerFiles,
  type OpenServerFiles,
  type ServerFile,
} from './files/writing/open-server-files.ts';
export { newServerText, patchedServerText } from './files/writing/server-text.ts';
export { definitionKinds, KINDS } from './kubernetes/definition-kinds.ts';
export { executionKind } from './kubernetes/executions/execution-object.ts';
export { inspectObjects, type InspectedServer } from './kubernetes/inspect-objects.ts';
export { secretObjects } from './kubernetes/secret-objects.ts';
export { openClusterStore } from './open-cluster-store.ts';
export type { ReferencedKey, ReferencedTexts } from './port/referenced-texts.ts';
export { resourceKey, type ResourceKey } from './port/resource-key.ts';
export {
  resourceProblemText,
  shortProblemText,
  type ResourceProblem,
} from './port/resource-problem.ts';
export type { ConfigStore, GatewayStore, ResourceStore } from './port/resource-store.ts';
export type { ConfigDocument, StoreState } from './port/state.ts';
export type { WorkflowResource } from './port/workflow-resource.ts';
