export { composeCore, followDesired } from './compose-core.ts';
export { type Gateway, composeGateway } from './compose-gateway.ts';
export { downstreamOptions } from './downstream-options.ts';
export type { GatewayServices } from './gateway-services.ts';
export {
  type ListeningGateway,
  type ListeningGatewayParts,
  listeningGateway,
} from './http/listening-gateway.ts';
export { createLocalServices } from './local/create-local-services.ts';
export { METRICS, type MetricDescription } from './metrics/metric-table.ts';
export { openState } from './open-state.ts';
export { Channel, type Topic, type TopicPort } from './workers/channel.ts';
export { PeerRelay } from './workers/peer-relay.ts';
export { endTo, endToPrimary } from './workers/process-ends.ts';
export { configDocument, createPushedStore } from './workers/pushed-store.ts';
export { serveServices } from './workers/serve-services.ts';
export { serveWorkflows } from './workers/serve-workflows.ts';
export { SharedMetrics } from './workers/shared-metrics.ts';
export { RemoteServices } from './workers/remote-services.ts';
export { WorkerMetrics } from './workers/worker-metrics.ts';
export { workerPeers } from './workers/worker-peers.ts';
export { type PoolWorker, type WorkerEnd, WorkerPool } from './workers/worker-pool.ts';
export { WorkerWorkflows } from './workers/worker-workflows.ts';
