export { composeGateway } from './compose-gateway.ts';
export { resolveCoreToolWrites } from './core-tool-ports.ts';
export {
  type ListeningGateway,
  type ListeningGatewayOptions,
  listenGateway,
} from './http/listening-gateway.ts';
export { validateHealthAddress } from './http/health-listener.ts';
export { createYamlParser } from './isolation/isolated-functions.ts';
export { validateAuditOutput } from './local/open-audit-log.ts';
export { probeServers } from './local/probe-servers.ts';
export { METRICS } from './metrics/metric-table.ts';
export { openSessionKey, type SessionKeyLocation, openState } from './state-store.ts';
export { joinReplicas } from './replicas/join-replicas.ts';
export { createStateStore, type CreatedStateStore } from './state-store.ts';
export { validateStateStore } from './state-store.ts';
