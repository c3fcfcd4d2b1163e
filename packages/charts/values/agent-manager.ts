import { z } from 'zod';
import { apiGroup, globalValues, labelDomain } from './fragments/installation.ts';
import { passedOnList, resources } from './fragments/kubernetes.ts';
import { service, serviceProbes, terminationGracePeriodSeconds } from './fragments/mcp-service.ts';
import { oauthValues, registrationValues } from './fragments/registration.ts';
import { sessionKey } from './fragments/session-key.ts';
import { clusterDomain, DNS_NAME, namespaceName } from './fragments/texts.ts';
import { image, namingValues, podValues, serviceAccount } from './fragments/workload.ts';

/** An address of a chart in a registry, as agent-manager reads it. */
const OCI_URL = /^oci:\/\/[^ /?#]+(\/[a-z0-9]+([._-]+[a-z0-9]+)*)+$/u;
const SEGMENT = '\\.?[A-Za-z0-9_-][A-Za-z0-9_.-]{0,98}';
/** `https://host/owner/name`, without credentials, as agent-manager reads it. */
const REPOSITORY_URL = new RegExp(`^https://[^ /?#@,]+/${SEGMENT}/${SEGMENT}/?$`, 'u');
/** A name that callers reach the service by, or any. */
const HOST = new RegExp(`^\\*$|${DNS_NAME.source}`, 'u');
/** A range of versions, as agent-manager reads it. */
const RANGE = /^[ 0-9A-Za-z*.<>=!^~|,+-]*[0-9xX*][ 0-9A-Za-z*.<>=!^~|,+-]*$/u;
/** How often Flux looks, as agent-manager reads it. */
const DURATION = /^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/u;
/** An address without a query and credentials, as agent-manager reads it. */
const API_URL = /^https:\/\/[!-"$->A-~]+$/u;
const LABEL = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
/** The name of a ServiceAccount, as agent-manager reads it. */
const ACCOUNT = new RegExp(`^${LABEL}(\\.${LABEL})*$`, 'u');
const MAX_LISTED = 64;

const interval = (description: string) =>
  z.string().max(64).regex(DURATION).optional().meta({ description });

const flux = z
  .strictObject({
    helmReleaseInterval: interval('How often Flux looks at a release. Unset: 10m.'),
    ociRepositoryInterval: interval(
      'How often Flux looks for new versions of the chart. Unset: 30m.',
    ),
    serviceAccountName: z.string().min(1).max(253).regex(ACCOUNT).optional().meta({
      description:
        'Account as which Flux applies releases. Unset: the one that Flux itself is set to.',
    }),
  })
  .prefault({})
  .meta({ description: 'How Flux applies what is written.' });

const skillsToken = z
  .strictObject({
    existingSecret: z.string().min(1).optional().meta({
      description:
        'Name of a Secret with a token that may read them. Unset: they are read without one.',
    }),
    key: z
      .string()
      .min(1)
      .default('token')
      .meta({ description: 'Key of the Secret that holds it.' }),
  })
  .prefault({})
  .meta({ description: 'The token for the host of `skillsRepositories`.' });

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
      .regex(RANGE)
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
    description:
      'Pods. The service keeps its state in the cluster, so that any number may run; more than one need `sessionKey.existingSecret`.',
  }),
  sessionKey,
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
  flux,
  skillsRepositories: z
    .array(z.string().max(2_048).regex(REPOSITORY_URL))
    .max(MAX_LISTED)
    .default([])
    .meta({
      description: 'Git repositories in which `list_skills` looks, each `https://host/owner/name`.',
    }),
  skillsApiUrl: z.string().max(2_048).regex(API_URL).optional().meta({
    description: 'REST API of their host. Unset: that of the public host, `/api/v3` of another.',
  }),
  skillsToken,
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
