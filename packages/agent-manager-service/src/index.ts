export { createAgentManagerMcp } from './mcp/mcp-transport.ts';
export { METRICS, type MetricDescription } from './metrics/metric-table.ts';
export { createMetrics, type Metrics } from './metrics/metrics.ts';
export { callerServices, sharedService, type ServiceOf } from './operations/service-of.ts';
export { openSignIn, type SignIn } from './sign-in/open-sign-in.ts';
export { createRunOperation } from './operations/run-operation.ts';
export { createDocuments } from './rest/documents.ts';
export { createRestTransport } from './rest/rest-transport.ts';
