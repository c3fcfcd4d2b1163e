import { z } from 'zod';
import { containerValues } from './fragments/gateway-container.ts';
import { httpRoute, ingress } from './fragments/gateway-exposure.ts';
import {
  networkPolicy,
  prometheusRule,
  remoteMCPServer,
  serviceMonitor,
} from './fragments/gateway-peers.ts';
import { apiGroup, globalValues, labelDomain } from './fragments/installation.ts';
import { resources, texts } from './fragments/kubernetes.ts';
import {
  autoscaling,
  podDisruptionBudget,
  topologySpreadConstraints,
} from './fragments/scaling.ts';
import { DNS_NAME, labelsOf } from './fragments/texts.ts';
import {
  extraValues,
  image,
  namingValues,
  podValues,
  serviceAccount,
} from './fragments/workload.ts';

const resourceName = z.string().max(253).regex(DNS_NAME);

const resourceMap = (kind: 'MCPServer' | 'Workflow', description: string, example: unknown) =>
  z
    .record(
      resourceName,
      z.strictObject({
        labels: labelsOf('')
          .unwrap()
          .optional()
          .meta({ description: 'Labels, which presets can select.' }),
        annotations: texts('').unwrap().optional().meta({ description: 'Annotations.' }),
        spec: z.looseObject({}).meta({
          standsFor: kind,
          description: `The spec of the ${kind}; every field is in [Resources](../resources.md).`,
        }),
      }),
    )
    .default({})
    .meta({ description, examples: [example] });

const filesFrom = (kind: string, key: string, example: unknown) =>
  z
    .array(
      z.strictObject({
        secret: z.string().min(1).optional().meta({ description: 'Name of a Secret.' }),
        configMap: z.string().min(1).optional().meta({ description: 'Name of a ConfigMap.' }),
        names: z
          .array(resourceName)
          .min(1)
          .meta({ description: `Names of the resources; each is the key \`<name>.yaml\`.` }),
      }),
    )
    .default([])
    .meta({
      description: `Existing Secrets or ConfigMaps that hold whole ${kind} documents, such as those with credentials. Each entry names a \`secret\` or a \`configMap\`, and the \`names\` of its documents. A name that \`${key}\` has too is refused.`,
      examples: [[example]],
    });

/** Servers and workflows as configuration files. */
const resourceFileValues = {
  mcpservers: resourceMap(
    'MCPServer',
    'Servers by name: `{labels, annotations, spec}`. Each becomes a file of the configuration; edits take effect without a restart.',
    {
      wiki: {
        labels: { 'gateway.internal/tool-group': 'notes' },
        spec: {
          type: 'streamable-http',
          url: 'http://wiki.tools.svc.cluster.local:8080/mcp',
          autoStart: true,
        },
      },
    },
  ),
  mcpserversFrom: filesFrom('MCPServer', 'mcpservers', {
    secret: 'billing-server',
    names: ['billing'],
  }),
  workflows: resourceMap(
    'Workflow',
    'Workflows by name: `{labels, annotations, spec}`. Each becomes a file of the configuration; edits take effect without a restart.',
    {
      overview: {
        spec: {
          description: 'Lists the pages of the wiki.',
          steps: [{ id: 'pages', tool: 'x_wiki_list_pages' }],
        },
      },
    },
  ),
  workflowsFrom: filesFrom('Workflow', 'workflows', {
    configMap: 'team-workflows',
    names: ['digest'],
  }),
};

/** A Valkey server of the release, for sign-ins and sessions of replicas. */
const valkey = z
  .strictObject({
    enabled: z.boolean().default(false).meta({
      description:
        'Whether to run one Valkey server, which `muster.state` then uses. Requires `stateSecret.existingSecret` with a password. While the server restarts, requests that need stored sign-ins or sessions fail; run a server with replicas of its own where that matters, and name it in `muster.state.url`.',
    }),
    image: image('valkey/valkey')
      .unwrap()
      .extend({
        tag: z.string().min(1).default('8.1').meta({ description: 'Tag.' }),
      })
      .prefault({})
      .meta({ description: 'The image of Valkey, or a mirror of it in your registry.' }),
    storageClassName: z
      .string()
      .optional()
      .meta({ description: 'Storage class of its claim. Unset: the default of the cluster.' }),
    size: z.string().default('1Gi').meta({ description: 'Size of its claim.' }),
    maxMemory: z
      .string()
      .regex(/^[1-9][0-9]*(mb|gb)$/u)
      .default('192mb')
      .meta({
        description:
          'Memory for data, below `resources.limits.memory`. At the limit writes are refused.',
      }),
    resources: resources({
      requests: { cpu: '50m', memory: '64Mi' },
      limits: { memory: '256Mi' },
    }),
    podAnnotations: texts('Annotations of its pod.'),
  })
  .prefault({})
  .meta({ description: 'A Valkey server of the release.' });

/** Objects in addition to the Deployment of the gateway: scaling, disruption, exposure and access. All are disabled by default. */
const gatewayNetworkValues = {
  autoscaling,
  podDisruptionBudget,
  networkPolicy,
  serviceMonitor,
  prometheusRule,
  ingress,
  httpRoute,
  remoteMCPServer,
};

/** The gateway's `config.yaml`, key by key. @spec §2.2 */
const gatewayConfiguration = z
  .looseObject({})
  .default({})
  .meta({
    standsFor: 'configuration',
    description:
      'Configuration of the gateway, `config.yaml`, with the keys of docs/reference/configuration.md. Unset keys have the default of the gateway. A change of `toolsetPresets` takes effect in the running gateway; every other change replaces the pods.',
    examples: [
      {
        toolsetPresets: {
          notes: {
            description: 'The knowledge of the team, without deletion.',
            include: [{ label: 'gateway.internal/tool-group=notes' }],
            exclude: [{ pattern: '*_delete_*' }],
          },
        },
      },
    ],
  });

/** Values of the chart `gateway`. */
export const gatewayValues = z.strictObject({
  global: globalValues,
  apiGroup,
  labelDomain,
  ...namingValues,
  muster: gatewayConfiguration,
  ...resourceFileValues,
  image: image('gateway'),
  ...containerValues,
  serviceAccount,
  ...podValues,
  topologySpreadConstraints,
  ...extraValues,
  valkey,
  ...gatewayNetworkValues,
});
