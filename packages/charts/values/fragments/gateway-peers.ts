import { z } from 'zod';
import { passedOn, passedOnList, texts } from './kubernetes.ts';
import { DNS_NAME } from './texts.ts';

/** A duration as Prometheus writes it. */
const PROMETHEUS_DURATION =
  /^([0-9]{1,9}y)?([0-9]{1,9}w)?([0-9]{1,9}d)?([0-9]{1,9}h)?([0-9]{1,9}m)?([0-9]{1,9}s)?([0-9]{1,9}ms)?$/u;

/** A duration as Go writes it. */
const GO_DURATION = /^([0-9]{1,9}(\.[0-9]{1,9})?(ms|s|m|h))+$/u;

const duration = (pattern: RegExp, description: string) =>
  z.string().min(1).max(64).regex(pattern).optional().meta({ description });

const networkPolicyEgress = z
  .strictObject({
    enabled: z.boolean().default(false).meta({
      description:
        'Whether what the gateway may reach is limited. Off, since the servers that it reaches are not known here.',
    }),
    rules: passedOnList('Where to, beside DNS: rules of a NetworkPolicy.', [
      { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 443 }] },
    ]),
    dns: passedOnList(
      'Who answers DNS. Empty: pods with the label `k8s-app: kube-dns` in any namespace.',
    ),
  })
  .prefault({})
  .meta({ description: 'What the gateway may reach.' });

/** The NetworkPolicy. */
export const networkPolicy = z
  .strictObject({
    enabled: z.boolean().default(false).meta({ description: 'Whether there is a NetworkPolicy.' }),
    from: passedOnList(
      'Who reaches the gateway: agents, and the controller of the Ingress or the Gateway. `[{namespaceSelector: {}}]`: every pod.',
      [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'agents' } } }],
    ),
    metricsFrom: passedOnList(
      'Who scrapes `/metrics`. It is the same port, so they reach `/mcp` as well.',
      [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
    ),
    egress: networkPolicyEgress,
  })
  .prefault({})
  .meta({ description: 'The NetworkPolicy of the pods.' });

/** The ServiceMonitor of the Prometheus operator. */
export const serviceMonitor = z
  .strictObject({
    enabled: z.boolean().default(false).meta({ description: 'Whether there is a ServiceMonitor.' }),
    namespace: z
      .string()
      .min(1)
      .max(63)
      .optional()
      .meta({ description: 'Its namespace. Unset: that of the release.' }),
    labels: texts('Further labels, by which a Prometheus selects it.', { release: 'prometheus' }),
    annotations: texts('Its annotations.'),
    interval: duration(
      PROMETHEUS_DURATION,
      'Time between two scrapes. Unset: that of the Prometheus.',
    ),
    scrapeTimeout: duration(
      PROMETHEUS_DURATION,
      'Time for one scrape, at most `interval`. Unset: that of the Prometheus.',
    ),
    honorLabels: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether labels of the metrics win over those of the target.' }),
    relabelings: passedOnList('Changes to the labels of the target.'),
    metricRelabelings: passedOnList('Changes to the labels of the metrics.'),
  })
  .prefault({})
  .meta({ description: 'The ServiceMonitor (`monitoring.coreos.com/v1`) for `/metrics`.' });

const allowedNamespaces = z
  .strictObject({
    from: z
      .enum(['All', 'Same', 'Selector'])
      .default('All')
      .meta({ description: 'All, the same as its own, or those that `selector` names.' }),
    selector: passedOn('Label selector of namespaces, for `from: Selector`.'),
  })
  .prefault({})
  .meta({ description: 'Namespaces whose agents may use it.' });

/** The resource by which agents of the agent runtime find the gateway. */
export const remoteMCPServer = z
  .strictObject({
    enabled: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether the gateway is there for agents of the agent runtime.' }),
    name: z
      .string()
      .min(1)
      .max(63)
      .regex(DNS_NAME)
      .default('gateway')
      .meta({ description: 'Its name, which the agent chart’s `muster.serverRef.name` says.' }),
    labels: texts('Further labels.'),
    annotations: texts('Its annotations.'),
    description: z
      .string()
      .min(1)
      .default('MCP gateway: the tools of all MCP servers and workflows.')
      .meta({ description: 'What people read about it.' }),
    timeout: duration(
      GO_DURATION,
      'Time for a request. Unset: that of the gateway, `muster.http.requestTimeoutSeconds`.',
    ),
    sseReadTimeout: duration(
      GO_DURATION,
      'Time without a byte on a stream. Unset: that of the gateway. The gateway writes every 15 seconds.',
    ),
    allowedNamespaces,
  })
  .prefault({})
  .meta({ description: 'The agent runtime’s RemoteMCPServer (`kagent.dev/v1alpha2`).' });
