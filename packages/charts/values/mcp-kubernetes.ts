import { z } from 'zod';
import { MAX_SERVER_DESCRIPTION_CHARS } from '@gateway/crd-schemas';
import { apiGroup, globalValues, labelDomain } from './fragments/installation.ts';
import { forwardedList, resources } from './fragments/kubernetes.ts';
import { service, serviceProbes, terminationGracePeriodSeconds } from './fragments/mcp-service.ts';
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
  serviceAccount,
} from './fragments/workload.ts';

const OBJECT_NAME = z.string().max(63).regex(DNS_LABEL);

const mcpServer = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether the server is registered with the gateway.' }),
    name: OBJECT_NAME.optional().meta({
      description:
        'Name of the `MCPServer`. Unset: `mcp-kubernetes`, or `<managementCluster>-mcp-kubernetes`.',
    }),
    managementCluster: OBJECT_NAME.optional().meta({
      description:
        'Management cluster of the server. Set: the server is a member of the family `kubernetes`. Unset: it has no family.',
    }),
    url: z.string().max(MAX_URL_CHARS).regex(HTTP_URL_OR_NONE).default('').meta({
      description:
        'URL of the server for the gateway. Empty: the Service in the namespace of the release, `/mcp`.',
    }),
    autoStart: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether the gateway connects when it starts.' }),
    description: z
      .string()
      .max(MAX_SERVER_DESCRIPTION_CHARS)
      .default('Reads the objects of this cluster.')
      .meta({ description: 'Purpose of the server, as the gateway shows it.' }),
    labels: labelsOf(
      'Additional labels of the `MCPServer`. They override default labels such as `<labelDomain>/tool-group`.',
    ),
  })
  .prefault({})
  .meta({ description: 'Registration with the gateway.' });

const rbac = z
  .strictObject({
    create: z.boolean().default(true).meta({
      description:
        'Whether to create a ClusterRole with `get`, `list` and `watch`, without Secrets.',
    }),
    extraRules: forwardedList(
      'Additional rules of the ClusterRole, such as those for custom resources.',
    ),
  })
  .prefault({})
  .meta({ description: 'Permissions of the account.' });

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
        'Arguments of the container. The image is not part of this project; it must serve MCP over Streamable HTTP at `/mcp` on port 8080.',
    }),
  replicas: z.int().min(0).default(1).meta({ description: 'Number of pods.' }),
  mcpServer,
  rbac,
  serviceAccount,
  service,
  resources: resources({
    requests: { cpu: '50m', memory: '64Mi' },
    limits: { memory: '256Mi' },
  }),
  probes: serviceProbes('Checks until the port is open.'),
  terminationGracePeriodSeconds,
  ...podValues,
  ...extraValues,
  global: globalValues,
});
