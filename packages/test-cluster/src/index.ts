export { SERVED_KINDS, type ApiObject } from './api-server/api-object.ts';
export type { ApiServer, ApiServerOptions, Fault } from './api-server/api-server.ts';
export { kubeconfigText, startTestCluster, testDirectory, type TestCluster } from './kubeconfig.ts';
export { selfSignedCertificate } from './self-signed-certificate.ts';
