import { autoscaling, podDisruptionBudget } from './scaling.ts';
import { httpRoute, ingress } from './gateway-exposure.ts';
import { networkPolicy, prometheusRule, remoteMCPServer, serviceMonitor } from './gateway-peers.ts';

/** Objects in addition to the Deployment of the gateway: scaling, disruption, exposure and access. All are disabled by default. */
export const gatewayNetworkValues = {
  autoscaling,
  podDisruptionBudget,
  networkPolicy,
  serviceMonitor,
  prometheusRule,
  ingress,
  httpRoute,
  remoteMCPServer,
};
