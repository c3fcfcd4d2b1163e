import { autoscaling, podDisruptionBudget } from './gateway-scaling.ts';
import { httpRoute, ingress } from './gateway-exposure.ts';
import { networkPolicy, remoteMCPServer, serviceMonitor } from './gateway-peers.ts';

/** What stands around the gateway's Deployment: scaling, disruption, who reaches it and how. All of it is off by default. */
export const gatewayNetworkValues = {
  autoscaling,
  podDisruptionBudget,
  networkPolicy,
  serviceMonitor,
  ingress,
  httpRoute,
  remoteMCPServer,
};
