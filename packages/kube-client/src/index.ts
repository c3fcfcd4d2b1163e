export type { ApiConnection } from './api-connection.ts';
export {
  failed,
  hasStatus,
  isNotFound,
  type ApiFailure,
  type ApiResult,
  apiFailureText,
} from './api-result.ts';
export { type CallerConnections, connectCallers, connectToCluster } from './connect.ts';
export { Informer, ObjectInformer } from './object-informer.ts';
export { joinElection, type Election, SOLE_LEADER, type Leadership } from './join-election.ts';
export { LEASE } from './lease.ts';
export {
  apiVersionOf,
  collectionPath,
  isObjectKey,
  isObjectName,
  objectPath,
  type ApiKind,
  type ApiObject,
  versionedObjectOf,
  type VersionedObject,
  fieldsOf,
} from './api-object.ts';
export { listObjects, type ListRequest, type ListSample, type ObjectList } from './list-objects.ts';
export { ObjectCache, SharedReads } from './object-cache.ts';
export { applyObject } from './apply-object.ts';
