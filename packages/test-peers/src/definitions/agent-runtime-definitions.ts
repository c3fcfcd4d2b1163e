import type { ClusterObject } from '../client/resource-paths.ts';

const ANY_OBJECT = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;

const definition = (kind: string, plural: string): ClusterObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.kagent.dev` },
  spec: {
    group: 'kagent.dev',
    scope: 'Namespaced',
    names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
    versions: [
      {
        name: 'v1alpha2',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: ANY_OBJECT, status: ANY_OBJECT } },
        },
      },
    ],
  },
});

/** The kinds of the agent runtime with any fields: its Go types are in no module that can be built. */
export const AGENT_RUNTIME_DEFINITIONS: readonly ClusterObject[] = [
  definition('Agent', 'agents'),
  definition('ModelConfig', 'modelconfigs'),
  definition('RemoteMCPServer', 'remotemcpservers'),
];
