export { createAgentManagerMcp } from './mcp/mcp-transport.ts';
export { createMetrics, type ServiceMetrics } from './metrics/metrics.ts';
export {
  createCallerServices,
  createSharedService,
  type Service,
} from './operations/run-operation.ts';
export { openSignIn, type SignIn } from './sign-in/open-sign-in.ts';
export { createRunOperation } from './operations/run-operation.ts';
export { createDocuments } from './rest/documents.ts';
export { createRestTransport } from './rest/rest-transport.ts';
export { runCli } from './commands/run-cli.ts';
export { ENVIRONMENT } from './options/serve-arguments.ts';
export {
  resolveOauth,
  resolveStore,
  type ReleaseStoreKind,
  type ServiceArguments,
  type AgentServiceOptions,
} from './options/serve-arguments.ts';
export { addServeOptions } from './options/serve-options.ts';
