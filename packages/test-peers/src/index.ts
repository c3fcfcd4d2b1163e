export { createSelfSignedCertificate } from './certificate-authority.ts';
export {
  stopProgram,
  findFreePort,
  findFreePorts,
  isListening,
  waitUntilReady,
} from './processes.ts';
export {
  openCachedFolder,
  findProgram,
  buildGoProgram,
  PeerMissing,
  reportMissing,
  runNicely,
  runProgram,
} from './programs.ts';
export type { StoredObject } from './api-server/api-object.ts';
export {
  type ApiServer,
  type ApiServerOptions,
  type Fault,
  startTestCluster,
  type TestCluster,
} from './api-server/api-server.ts';
export type { ClusterObject } from './cluster/api-client.ts';
export type { Cluster } from './cluster/cluster.ts';
export { type AuditedRequest, type OwnCluster, startOwnCluster } from './cluster/start-cluster.ts';
export {
  AGENT_RUNTIME_DEFINITIONS,
  readFluxDefinitions,
  readOperatorDefinitions,
} from './cluster/definitions.ts';
export { openSharedCluster } from './cluster/shared-cluster.ts';
export { formatKubeconfig, createTestDirectory } from './kubeconfig.ts';
export { type ApiProxy, startApiProxy } from './cluster/api-proxy.ts';
export {
  startRegistry,
  type TestRegistry,
  startDex,
  type TestDex,
  startHaproxy,
  findRedisProgram,
  startRedis,
  type TestRedis,
} from './services.ts';
export {
  CookieBrowser,
  type VisitedPage,
  signIn,
  type SignInOptions,
  createTestUser,
} from './sign-in.ts';
export type { ProviderOptions } from './provider/configuration.ts';
export { startProvider, type TestProvider } from './provider.ts';
export { type ProtectedOptions, computeTokenHash } from './protected-server/authorizer.ts';
export {
  ProtectedServer,
  startProtectedServer,
} from './protected-server/start-protected-server.ts';
export {
  listAccessibilityProblems,
  launchBrowser,
  launchPackagedBrowser,
  findPictureProblem,
} from './browser.ts';
export { createLoopbackCertificate } from './http.ts';
