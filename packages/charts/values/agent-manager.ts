import { z } from 'zod';
import { apiGroup, globalValues, labelDomain } from './fragments/installation.ts';
import { passedOnList, resources } from './fragments/kubernetes.ts';
import { service, serviceProbes, terminationGracePeriodSeconds } from './fragments/mcp-service.ts';
import { oauthValues, registrationValues } from './fragments/registration.ts';
import { clusterDomain, namespaceName } from './fragments/texts.ts';
import { image, namingValues, podValues, serviceAccount } from './fragments/workload.ts';

/** Values of the chart `agent-manager`. */
export const agentManagerValues = z.strictObject({
  ...namingValues,
  apiGroup,
  labelDomain,
  clusterDomain,
  image: image('agent-manager'),
  replicas: z.int().min(0).default(1).meta({
    description: 'Pods. The service keeps its state in the cluster, so that any number may run.',
  }),
  kagent: z
    .strictObject({
      namespace: namespaceName
        .default('kagent')
        .meta({ description: 'Namespace in which agents are managed.' }),
    })
    .prefault({})
    .meta({ description: 'Where the agents are.' }),
  additionalNamespaces: z
    .array(namespaceName)
    .max(256)
    .default([])
    .meta({ description: 'Further namespaces in which agents are managed. They must exist.' }),
  rbac: z
    .strictObject({
      create: z.boolean().default(true).meta({
        description:
          'Whether a Role and a RoleBinding are made in each managed namespace. Without them someone else grants the account its rights.',
      }),
    })
    .prefault({})
    .meta({ description: 'The rights of the account.' }),
  serviceAccount,
  service,
  oauth: oauthValues,
  muster: registrationValues({
    name: 'agent-manager',
    description: 'Creates, changes and deletes agents, and tells how they are.',
  }),
  resources: resources({
    requests: { cpu: '50m', memory: '128Mi' },
    limits: { memory: '256Mi' },
  }),
  probes: serviceProbes('Until the process is up.'),
  terminationGracePeriodSeconds,
  ...podValues,
  podDisruptionBudget: z
    .strictObject({
      enabled: z.boolean().default(false).meta({
        description: 'Whether drains of nodes leave pods. Useful with two replicas or more.',
      }),
      maxUnavailable: z
        .int()
        .min(1)
        .default(1)
        .meta({ description: 'Pods that a drain may take at a time.' }),
    })
    .prefault({})
    .meta({ description: 'The PodDisruptionBudget.' }),
  networkPolicy: z
    .strictObject({
      enabled: z.boolean().default(false).meta({
        description: 'Whether only `ingressFrom` may reach the service.',
      }),
      ingressFrom: passedOnList(
        'Peers that may reach the service, such as the gateway’s pods. Empty: nobody.',
      ),
    })
    .prefault({})
    .meta({ description: 'The NetworkPolicy of the pods.' }),
  global: globalValues,
});
