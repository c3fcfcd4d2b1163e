export type { ApiConnection } from './api-connection.ts';
export {
  toFailure,
  hasStatus,
  isNotFound,
  type ApiFailure,
  type ApiResult,
  formatApiFailure,
} from './api-result.ts';
export { type CallerConnections, connectCallers, connectToCluster } from './connect.ts';
export { Informer, ObjectInformer } from './object-informer.ts';
export { Election, SOLE_LEADER, type Leadership } from './election.ts';
export { LEASE } from './lease.ts';
export {
  formatApiVersion,
  formatCollectionPath,
  isObjectKey,
  isObjectName,
  formatObjectPath,
  type ApiKind,
  type ApiObject,
  parseVersionedObject,
  type VersionedObject,
  toFields,
} from './api-object.ts';
export {
  listObjects,
  type ListRequest,
  type ListSample,
  type ObjectList,
  applyObject,
} from './object-requests.ts';
export { ObjectCache, SharedReads } from './object-cache.ts';
