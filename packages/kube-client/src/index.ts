export type { ApiConnection } from './connection/api-connection.ts';
export {
  failed,
  hasStatus,
  isNotFound,
  type ApiFailure,
  type ApiResult,
} from './connection/api-result.ts';
export type { CallerConnections } from './connection/caller-connections.ts';
export { connectCallers, connectToCluster } from './connection/connect.ts';
export { apiFailureText } from './connection/failure-text.ts';
export { Informer } from './informer/informer.ts';
export { joinElection, type Election } from './leadership/join-election.ts';
export { LEASE } from './leadership/lease.ts';
export { SOLE_LEADER, type Leadership } from './leadership/leadership.ts';
export { ObjectInformer } from './informer/object-informer.ts';
export {
  apiVersionOf,
  collectionPath,
  isObjectKey,
  isObjectName,
  objectPath,
  type ApiKind,
} from './objects/api-kind.ts';
export { versionedObjectOf, type VersionedObject } from './objects/api-object.ts';
export { fieldsOf } from './objects/json-fields.ts';
export {
  listObjects,
  type ListRequest,
  type ListSample,
  type ObjectList,
} from './reads/list-objects.ts';
export { ObjectCache } from './reads/object-cache.ts';
export { SharedReads } from './reads/shared-reads.ts';
export { applyObject } from './writes/apply-object.ts';
