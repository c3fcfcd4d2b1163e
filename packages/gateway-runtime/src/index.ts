export { composeCore, followDesired } from './compose-core.ts';
export { type Gateway, composeGateway } from './compose-gateway.ts';
export { resolveCoreToolWrites } from './core-tool-access.ts';
export { downstreamOptions } from './downstream-options.ts';
export type { GatewayServices } from './gateway-services.ts';
export {
  type ListeningGateway,
  type ListeningGatewayOptions,
  listenGateway,
} from './http/listening-gateway.ts';
export { healthListenProblem, listenHealth } from './http/health-listener.ts';
export { followReadiness } from './http/readiness.ts';
export { auditOutputProblem } from './local/open-audit-log.ts';
export { probeServers } from './local/probe-servers.ts';
export { createLocalServices } from './local/create-local-services.ts';
export { METRICS, type MetricDescription } from './metrics/metric-table.ts';
export { openSessionKey, type SessionKeyPlace } from './open-session-key.ts';
export { openState } from './open-state.ts';
export { joinReplicas } from './replicas/join-replicas.ts';
export { createStateStore, type CreatedStateStore } from './state/create-state-store.ts';
export { stateProblem } from './state/state-problem.ts';
export { connectState } from './workers/connect-state.ts';
export type { StateStore } from '@gateway/state-store';
export { PeerRelay } from './workers/peer-relay.ts';
export { configDocument, createPushedStore } from './workers/pushed-store.ts';
export { serveState } from './workers/serve-state.ts';
export { serveWorkflows } from './workers/serve-workflows.ts';
export { SharedMetrics } from './workers/shared-metrics.ts';
export { connectServices, serveServices } from './workers/remote-services.ts';
export type { WorkerChannel, WorkerTopic } from './workers/worker-channel.ts';
export { serveIdTokens, WorkerIdTokens } from './workers/worker-id-tokens.ts';
export { WorkerMetrics } from './workers/worker-metrics.ts';
export { workerPeers } from './workers/worker-peers.ts';
export { type PoolWorker, type WorkerEnd, WorkerPool } from './workers/worker-pool.ts';
export { WorkerWorkflows } from './workers/worker-workflows.ts';
