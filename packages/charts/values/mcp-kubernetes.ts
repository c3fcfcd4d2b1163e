import { z } from 'zod';
import { MAX_SERVER_DESCRIPTION_CHARS } from '@gateway/crd-schemas';
import { apiGroup, globalValues, labelDomain } from './fragments/installation.ts';
import { passedOnList, resources, texts } from './fragments/kubernetes.ts';
import {
  DNS_LABEL,
  HTTP_URL_OR_NONE,
  MAX_URL_CHARS,
  clusterDomain,
  labelsOf,
} from './fragments/texts.ts';
import {
  extraValues,
  image,
  namingValues,
  podValues,
  probe,
  serviceAccount,
} from './fragments/workload.ts';

const OBJECT_NAME = z.string().max(63).regex(DNS_LABEL);

const mcpServer = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether the server is registered at the gateway.' }),
    name: OBJECT_NAME.optional().meta({
      description:
        'Name of the `MCPServer`. Unset: `mcp-kubernetes`, or `<managementCluster>-mcp-kubernetes`.',
    }),
    managementCluster: OBJECT_NAME.optional().meta({
      description:
        'Management cluster that the server serves. Set: the server is a member of the family `kubernetes`, beside the servers of other clusters. Unset: it has no family.',
    }),
    url: z.string().max(MAX_URL_CHARS).regex(HTTP_URL_OR_NONE).default('').meta({
      description:
        'Where the gateway reaches the server. Empty: the Service in the namespace of the release, `/mcp`.',
    }),
    autoStart: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether the gateway connects when it starts.' }),
    description: z
      .string()
      .max(MAX_SERVER_DESCRIPTION_CHARS)
      .default('Reads the objects of this cluster.')
      .meta({ description: 'What the server is for, as the gateway shows it.' }),
    labels: labelsOf(
      'Labels of the `MCPServer`. They add to the stamped ones and override them, such as `<labelDomain>/tool-group`.',
    ),
  })
  .prefault({})
  .meta({ description: 'How the server is registered at the gateway.' });

const rbac = z
  .strictObject({
    create: z.boolean().default(true).meta({
      description:
        'Whether the account may read the cluster: a ClusterRole with `get`, `list` and `watch`, without Secrets.',
    }),
    extraRules: passedOnList(
      'Further rules of the ClusterRole, such as those for custom resources.',
    ),
  })
  .prefault({})
  .meta({ description: 'The rights of the account.' });

/** Values of the chart `mcp-kubernetes`. */
export const mcpKubernetesValues = z.strictObject({
  ...namingValues,
  apiGroup,
  labelDomain,
  clusterDomain,
  image: image('mcp-kubernetes'),
  args: z
    .array(z.string())
    .default(['serve', '--transport=streamable-http', '--http-addr=:8080'])
    .meta({
      description:
        'Arguments of the container. The image is no part of this project: it must serve MCP over Streamable HTTP at `/mcp` on port 8080.',
    }),
  replicas: z.int().min(0).default(1).meta({ description: 'Pods.' }),
  mcpServer,
  rbac,
  serviceAccount,
  service: z
    .strictObject({
      port: z.int().min(1).max(65_535).default(8_080).meta({ description: 'Port of the Service.' }),
      annotations: texts('Annotations of the Service.'),
    })
    .prefault({})
    .meta({ description: 'The Service.' }),
  resources: resources({
    requests: { cpu: '50m', memory: '64Mi' },
    limits: { memory: '256Mi' },
  }),
  probes: z
    .strictObject({
      startup: probe('Until the port is open.', { periodSeconds: 2, failureThreshold: 30 }),
      readiness: probe('Whether requests are sent to the pod.', {
        periodSeconds: 5,
        failureThreshold: 3,
      }),
      liveness: probe('Whether the pod is started again.', {
        periodSeconds: 10,
        failureThreshold: 3,
      }),
    })
    .prefault({})
    .meta({ description: 'The probes.' }),
  terminationGracePeriodSeconds: z
    .int()
    .min(0)
    .default(30)
    .meta({ description: 'Seconds that requests under way have when a pod is stopped.' }),
  ...podValues,
  ...extraValues,
  global: globalValues,
});
