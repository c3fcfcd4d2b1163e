export { SERVED_KINDS, type ApiObject } from './api-server/api-object.ts';
export type { ApiServer, ApiServerOptions, Fault } from './api-server/api-server.ts';
export { selfSignedCertificate } from './certificates/certificate-authority.ts';
export type { ClusterObject } from './client/resource-paths.ts';
export type { Cluster } from './cluster/cluster.ts';
export { sharedCluster } from './keeper/shared-cluster.ts';
export { kubeconfigText } from './kubeconfig-text.ts';
export { startTestCluster, testDirectory, type TestCluster } from './kubeconfig.ts';
