import { z } from 'zod';
import { flag, MAPPING, text, texts } from './field-types.ts';

/** The key `kubernetes`: servers and workflows are the objects of a cluster. */
export const kubernetesSchema = z.strictObject(
  {
    enabled: flag
      .default(false)
      .describe(
        'read `MCPServer` and `Workflow` objects of a cluster instead of files; environment: `GATEWAY_KUBERNETES=true`',
      ),
    kubeconfig: text
      .optional()
      .describe(
        'kubeconfig, relative to the configuration directory; unset: `KUBECONFIG`, the service account of the pod, `~/.kube/config`',
      ),
    context: text.optional().describe('context of the kubeconfig; unset: its current context'),
    namespaces: texts.default([]).describe('namespaces whose objects are used; none: all'),
    namespace: text
      .optional()
      .describe(
        'namespace of the gateway, for new definitions and its Lease; unset: that of the pod or the context',
      ),
    lease: text
      .default('gateway')
      .describe('Lease by which one replica is elected, which writes statuses'),
    secretNamespaces: texts
      .default([])
      .describe('other namespaces whose Secrets a server may name in `clientCredentialsSecretRef`'),
    allowStdio: flag
      .default(false)
      .describe('start stdio servers of the cluster, which are commands in the pod of the gateway'),
  },
  MAPPING,
);
