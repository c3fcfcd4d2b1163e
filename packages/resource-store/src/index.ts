export {
  type ConfigDocument,
  type ResourceKey,
  type ResourceProblem,
  type StoreState,
  type WorkflowResource,
  createResourceKey,
  formatProblem,
  formatShortProblem,
  listResourceEvents,
} from './port/resources.ts';
export type { ExternalYamlParser } from './files/interpret-file.ts';
export { openFileStore, readDirectory } from './files/open-file-store.ts';
export type { FileStoreOptions } from './files/open-file-store.ts';
export { listOverlookedFiles } from './files/scan-directory.ts';
export {
  openServerFiles,
  type OpenServerFiles,
  type ServerFile,
  renderServerText,
  patchServerText,
  readServerFile,
} from './files/server-files.ts';
export { computeSecretChanges, listServerSecrets } from './files/secret-files.ts';
export { createExecutionKind } from './kubernetes/execution-objects.ts';
export { createDefinitionKinds, KINDS } from './kubernetes/followed-definitions.ts';
export { inspectObjects, type InspectedServer } from './kubernetes/definition-state.ts';
export { openSecretObjects } from './kubernetes/referenced-objects.ts';
export { openClusterStore } from './open-cluster-store.ts';
export type {
  ReferencedKey,
  ReferencedTexts,
  ConfigStore,
  GatewayStore,
  ResourceStore,
} from './port/resource-store.ts';
