export type { ClusterFinding } from './diagnosis/cluster-finding.ts';
export { diagnoseCluster } from './diagnosis/diagnose-cluster.ts';
export { findingText, type FindingText } from './diagnosis/finding-text.ts';
export { serverTroubles } from './diagnosis/server-trouble.ts';
export { resourceEvents } from './events/resource-events.ts';
export type { ParseElsewhere } from './files/interpretation/file-interpreter.ts';
export { openFileStore, type FileStoreOptions } from './files/open-file-store.ts';
export { overlookedFiles, type OverlookedFile } from './files/overlooked-files.ts';
export { readDirectory } from './files/read-directory.ts';
export {
  openServerFiles,
  type OpenServerFiles,
  type ServerFile,
} from './files/writing/open-server-files.ts';
export { newServerText, patchedServerText } from './files/writing/server-text.ts';
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
