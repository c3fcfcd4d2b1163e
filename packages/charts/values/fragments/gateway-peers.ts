import { z } from 'zod';
import { forwarded, forwardedList, texts } from './kubernetes.ts';
import { networkEgress } from './kubernetes.ts';
import { DNS_NAME } from './texts.ts';

/** A duration as Prometheus writes it. */
const PROMETHEUS_DURATION =
  /^([0-9]{1,9}y)?([0-9]{1,9}w)?([0-9]{1,9}d)?([0-9]{1,9}h)?([0-9]{1,9}m)?([0-9]{1,9}s)?([0-9]{1,9}ms)?$/u;

/** A duration as Go writes it. */
const GO_DURATION = /^([0-9]{1,9}(\.[0-9]{1,9})?(ms|s|m|h))+$/u;

const duration = (pattern: RegExp, description: string) =>
  z.string().min(1).max(64).regex(pattern).optional().meta({ description });

/** The NetworkPolicy. */
export const networkPolicy = z
  .strictObject({
    enabled: z.boolean().default(false).meta({ description: 'Whether to create a NetworkPolicy.' }),
    from: forwardedList(
      'Peers with access to the gateway: agents, and the controller of the Ingress or Gateway. `[{namespaceSelector: {}}]`: every pod.',
      [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'agents' } } }],
    ),
    metricsFrom: forwardedList(
      'Peers that scrape `/metrics`. Their access is limited to the port of probes and metrics; with `muster.health.enabled: false` they can also access `/mcp`.',
      [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
    ),
    egress: networkEgress('all servers'),
  })
  .prefault({})
  .meta({ description: 'The NetworkPolicy of the pods.' });

/** The ServiceMonitor of the Prometheus operator. */
export const serviceMonitor = z
  .strictObject({
    enabled: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether to create a ServiceMonitor.' }),
    namespace: z
      .string()
      .min(1)
      .max(63)
      .optional()
      .meta({ description: 'Namespace. Unset: the namespace of the release.' }),
    labels: texts('Additional labels, with which Prometheus selects it.', {
      release: 'prometheus',
    }),
    annotations: texts('Annotations.'),
    interval: duration(PROMETHEUS_DURATION, 'Scrape interval. Unset: the default of Prometheus.'),
    scrapeTimeout: duration(
      PROMETHEUS_DURATION,
      'Scrape timeout, at most `interval`. Unset: the default of Prometheus.',
    ),
    honorLabels: z.boolean().default(false).meta({
      description: 'Whether labels of the metrics take precedence over those of the target.',
    }),
    relabelings: forwardedList('Relabeling rules of the target.'),
    metricRelabelings: forwardedList('Relabeling rules of the metrics.'),
  })
  .prefault({})
  .meta({ description: 'The ServiceMonitor (`monitoring.coreos.com/v1`) for `/metrics`.' });

/** The PrometheusRule of the Prometheus operator. */
export const prometheusRule = z
  .strictObject({
    enabled: z.boolean().default(false).meta({
      description: 'Whether to create a PrometheusRule. Requires `serviceMonitor.enabled`.',
    }),
    namespace: z
      .string()
      .min(1)
      .max(63)
      .optional()
      .meta({ description: 'Namespace. Unset: the namespace of the release.' }),
    labels: texts('Additional labels, with which Prometheus selects it.', {
      release: 'prometheus',
    }),
    annotations: texts('Annotations.'),
    disabled: z
      .array(z.string().min(1))
      .default([])
      .meta({
        description: 'Names of alerts of the chart that are omitted.',
        examples: [['GatewayToolsChanged']],
      }),
    alertLabels: texts('Additional labels of all alerts of the chart.'),
    additionalRules: forwardedList('Additional rules, after those of the chart.', [
      { alert: 'GatewayIdle', expr: 'gateway_sessions == 0', for: '1h' },
    ]),
  })
  .prefault({})
  .meta({
    description:
      'The PrometheusRule (`monitoring.coreos.com/v1`) with alerts. docs/charts/gateway.md lists them.',
  });

const allowedNamespaces = z
  .strictObject({
    from: z
      .enum(['All', 'Same', 'Selector'])
      .default('All')
      .meta({ description: '`All`, `Same` (its own namespace), or `Selector`.' }),
    selector: forwarded('Label selector of namespaces, for `from: Selector`.'),
  })
  .prefault({})
  .meta({ description: 'Namespaces with access.' });

/** The resource of the gateway for agents of the agent runtime. */
export const remoteMCPServer = z
  .strictObject({
    enabled: z
      .union([z.boolean(), z.literal('auto')])
      .default(false)
      .meta({
        description:
          'Whether to create the resource for agents of the agent runtime. `auto`: while the cluster has the API `kagent.dev/v1alpha2`.',
      }),
    name: z
      .string()
      .min(1)
      .max(63)
      .regex(DNS_NAME)
      .default('gateway')
      .meta({ description: 'Name, as in `muster.serverRef.name` of the agent chart.' }),
    labels: texts('Further labels.'),
    annotations: texts('Annotations.'),
    description: z
      .string()
      .min(1)
      .default('MCP gateway: the tools of all MCP servers and workflows.')
      .meta({ description: 'Description.' }),
    timeout: duration(
      GO_DURATION,
      'Timeout of a request. Unset: `muster.http.requestTimeoutSeconds` of the gateway.',
    ),
    sseReadTimeout: duration(
      GO_DURATION,
      'Idle timeout of a stream. Unset: the default of the gateway. The gateway writes every 15 seconds.',
    ),
    allowedNamespaces,
  })
  .prefault({})
  .meta({ description: 'The RemoteMCPServer of the agent runtime (`kagent.dev/v1alpha2`).' });
