export type { ClusterFinding } from './diagnosis/cluster-finding.ts';
export { diagnoseCluster } from './diagnosis/diagnose-cluster.ts';
export { findingText, type FindingText } from './diagnosis/finding-text.ts';
export { serverTroubles } from './diagnosis/server-trouble.ts';
export { resourceEvents } from './events/resource-events.ts';
export type { ParseElsewhere } from './files/interpret-file.ts';
export { openFileStore, readDirectory } from './files/open-file-store.ts';
export type { FileStoreOptions } from './files/file-store-loop.ts';
export { overlookedFiles, type OverlookedFile } from './files/overlooked-files.ts';
export {
  openServerFiles,
  type OpenServerFiles,
  type ServerFile,
  newServerText,
  patchedServerText,
} from './files/server-files.ts';
export { openClusterStore } from './open-cluster-store.ts';
export type {
  ReferencedKey,
  ReferencedTexts,
  ConfigStore,
  GatewayStore,
  ResourceStore,
} from './port/resource-store.ts';
export {
  resourceKey,
  type ResourceKey,
  resourceProblemText,
  shortProblemText,
  type ResourceProblem,
  type ConfigDocument,
  type StoreState,
  type WorkflowResource,
} from './port/resources.ts';
