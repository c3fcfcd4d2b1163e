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
export type { ApiServer, ApiServerOptions, Fault } from './api-server/api-server.ts';
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
export { startTestCluster, type TestCluster } from './api-server/test-cluster.ts';
export { type ApiProxy, startApiProxy, type WatchLine } from './cluster/api-proxy.ts';
export { startRegistry, type TestRegistry } from './registry.ts';
export { CookieBrowser, type Page, signIn, type SignInOptions, testUser } from './sign-in.ts';
export type { ProviderOptions } from './provider/configuration.ts';
export { startProvider, type TestProvider } from './provider/start-provider.ts';
export { type ProtectedOptions, tokenHash } from './protected-server/authorizer.ts';
export {
  ProtectedServer,
  startProtectedServer,
} from './protected-server/start-protected-server.ts';
export { accessibilityProblems, launchBrowser, launchPackagedBrowser } from './browser.ts';
export { pictureProblem } from './picture-problem.ts';
export { loopbackCertificate } from './http.ts';
export { startDex, type TestDex } from './dex.ts';
export { startHaproxy } from './haproxy.ts';
export { redisProgram, startRedis, type TestRedis } from './redis.ts';
