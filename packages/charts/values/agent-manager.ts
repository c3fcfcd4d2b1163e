import { z } from 'zod';
import { apiGroup, globalValues, labelDomain } from './fragments/installation.ts';
import { passedOnList, resources } from './fragments/kubernetes.ts';
import { service, serviceProbes, terminationGracePeriodSeconds } from './fragments/mcp-service.ts';
import { oauthValues, registrationValues } from './fragments/registration.ts';
import { clusterDomain, DNS_NAME, namespaceName } from './fragments/texts.ts';
import { image, namingValues, podValues, serviceAccount } from './fragments/workload.ts';

/** An address of a chart in a registry, as agent-manager reads it. */
const OCI_URL = /^oci:\/\/[^ /?#]+(\/[a-z0-9]+([._-]+[a-z0-9]+)*)+$/u;
/** An address of a Git repository without credentials, as agent-manager reads it. */
const REPOSITORY_URL = /^https?:\/\/[^ /?#@,]+\/[^ ?#,]+$/u;
/** A name that callers reach the service by, or any. */
const HOST = new RegExp(`^\\*$|${DNS_NAME.source}`, 'u');
const MAX_LISTED = 64;

const agentChart = z
  .strictObject({
    url: z
      .string()
      .max(2_048)
      .regex(OCI_URL)
      .default('oci://registry.gateway.internal/charts/agent')
      .meta({ description: 'Where Flux pulls the agent chart from.' }),
    semver: z
      .string()
      .min(1)
      .max(256)
      .default('x.x.x')
      .meta({ description: 'Versions of it that Flux takes: a range.' }),
  })
  .prefault({})
  .meta({ description: 'The chart that agents are releases of.' });

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
  agentChart,
  skillsRepositories: z
    .array(z.string().max(2_048).regex(REPOSITORY_URL))
    .max(MAX_LISTED)
    .default([])
    .meta({ description: 'Git repositories in which `list_skills` looks.' }),
  allowedHosts: z.array(z.string().max(253).regex(HOST)).max(MAX_LISTED).default([]).meta({
    description:
      'Names by which callers reach the service, beside those of its Service. `*` allows every name.',
  }),
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
