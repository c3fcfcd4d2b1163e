export { selfSignedCertificate } from './certificate-authority.ts';
export { endProgram, freePort, freePorts, isListening, untilReady } from './processes.ts';
export {
  cached,
  findProgram,
  goProgram,
  PeerMissing,
  reportMissing,
  runNicely,
  runProgram,
} from './programs.ts';
export type { ApiObject } from './api-server/api-object.ts';
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
  fluxDefinitions,
  operatorDefinitions,
} from './cluster/definitions.ts';
export { sharedCluster } from './cluster/shared-cluster.ts';
export { kubeconfigText, testDirectory } from './kubeconfig.ts';
export { type ApiProxy, startApiProxy, type WatchLine } from './cluster/api-proxy.ts';
export {
  startRegistry,
  type TestRegistry,
  startDex,
  type TestDex,
  startHaproxy,
  redisProgram,
  startRedis,
  type TestRedis,
} from './services.ts';
export { CookieBrowser, type Page, signIn, type SignInOptions, testUser } from './sign-in.ts';
export type { ProviderOptions } from './provider/configuration.ts';
export { startProvider, type TestProvider } from './provider.ts';
export { type ProtectedOptions, tokenHash } from './protected-server/authorizer.ts';
export {
  ProtectedServer,
  startProtectedServer,
} from './protected-server/start-protected-server.ts';
export {
  accessibilityProblems,
  launchBrowser,
  launchPackagedBrowser,
  pictureProblem,
} from './browser.ts';
export { loopbackCertificate } from './http.ts';
