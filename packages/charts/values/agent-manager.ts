import { z } from 'zod';
import { apiGroup, globalValues, labelDomain } from './fragments/installation.ts';
import { forwardedList, resources } from './fragments/kubernetes.ts';
import { service, serviceProbes, terminationGracePeriodSeconds } from './fragments/mcp-service.ts';
import { oauthValues, registrationValues } from './fragments/registration.ts';
import { sessionKey } from './fragments/session-key.ts';
import {
  audience,
  clusterDomain,
  DNS_LABEL_OR_NONE,
  DNS_NAME,
  namespaceName,
} from './fragments/texts.ts';
import { image, namingValues, podValues, serviceAccount } from './fragments/workload.ts';

/** OCI URL of a chart, as agent-manager accepts it. */
const OCI_URL = /^oci:\/\/[^ /?#]+(\/[a-z0-9]+([._-]+[a-z0-9]+)*)+$/u;
const SEGMENT = '\\.?[A-Za-z0-9_-][A-Za-z0-9_.-]{0,98}';
/** `https://host/owner/name` without credentials, as agent-manager accepts it. */
const REPOSITORY_URL = new RegExp(`^https://[^ /?#@,]+/${SEGMENT}/${SEGMENT}/?$`, 'u');
/** A host name of the service, or `*`. */
const HOST = new RegExp(`^\\*$|${DNS_NAME.source}`, 'u');
/** A version range, as agent-manager accepts it. */
const RANGE = /^[ 0-9A-Za-z*.<>=!^~|,+-]*[0-9xX*][ 0-9A-Za-z*.<>=!^~|,+-]*$/u;
/** A Flux interval, as agent-manager accepts it. */
const DURATION = /^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/u;
/** A URL without query and credentials, as agent-manager accepts it. */
const API_URL = /^https:\/\/[!-"$->A-~]+$/u;
const LABEL = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
/** The name of a ServiceAccount, as agent-manager accepts it. */
const ACCOUNT = new RegExp(`^${LABEL}(\\.${LABEL})*$`, 'u');
const MAX_LISTED = 64;

const interval = (description: string) =>
  z.string().max(64).regex(DURATION).optional().meta({ description });

const flux = z
  .strictObject({
    helmReleaseInterval: interval('Interval at which Flux reconciles a release. Unset: 10m.'),
    ociRepositoryInterval: interval(
      'Interval at which Flux checks for new versions of the chart. Unset: 30m.',
    ),
    serviceAccountName: z.string().min(1).max(253).regex(ACCOUNT).optional().meta({
      description: 'Account with which Flux applies releases. Unset: the default account of Flux.',
    }),
  })
  .prefault({})
  .meta({ description: 'How Flux applies releases.' });

const skillsToken = z
  .strictObject({
    existingSecret: z.string().min(1).optional().meta({
      description:
        'Name of a Secret with a read token. Unset: the repositories are read without a token.',
    }),
    key: z.string().min(1).default('token').meta({ description: 'Key in the Secret.' }),
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
      .meta({ description: 'OCI URL of the agent chart.' }),
    semver: z
      .string()
      .min(1)
      .max(256)
      .regex(RANGE)
      .default('x.x.x')
      .meta({ description: 'Version range of the chart.' }),
  })
  .prefault({})
  .meta({ description: 'The agent chart; each agent is a release of it.' });

const oauth = oauthValues
  .unwrap()
  .extend({
    issuer: z.string().max(2_048).regex(API_URL).optional().meta({
      description:
        'Issuer whose tokens the service accepts, as the claim `iss` names it. Unset: a proxy in front of the service verifies the tokens.',
    }),
    audiences: z
      .array(audience.regex(/^[^\s,]+$/u))
      .max(MAX_LISTED)
      .default([])
      .meta({
        description: 'Accepted audiences of the tokens. Empty: `publicUrl` followed by `/mcp`.',
      }),
    publicUrl: z.string().max(2_048).regex(API_URL).optional().meta({
      description: 'URL under which clients reach the service. Required with `issuer`.',
    }),
    downstream: z.boolean().default(false).meta({
      description:
        'Whether requests to the cluster carry the token of the caller. The account of the service then has no permissions.',
    }),
  })
  .prefault({})
  .meta({ description: 'Authentication at the service.' });

/** Values of the chart `agent-manager`. */
export const agentManagerValues = z.strictObject({
  ...namingValues,
  apiGroup,
  labelDomain,
  clusterDomain,
  image: image('agent-manager'),
  replicas: z.int().min(0).default(1).meta({
    description:
      'Number of pods. The service stores its state in the cluster. More than one pod requires `sessionKey.existingSecret`.',
  }),
  sessionKey,
  kagent: z
    .strictObject({
      namespace: z.string().max(63).regex(DNS_LABEL_OR_NONE).default('kagent').meta({
        description:
          'Namespace in which agents are managed. It must exist. Empty: that of the release.',
      }),
    })
    .prefault({})
    .meta({ description: 'Namespace of the agents.' }),
  additionalNamespaces: z
    .array(namespaceName)
    .max(256)
    .default([])
    .meta({ description: 'Additional namespaces in which agents are managed. They must exist.' }),
  agentChart,
  flux,
  skillsRepositories: z
    .array(z.string().max(2_048).regex(REPOSITORY_URL))
    .max(MAX_LISTED)
    .default([])
    .meta({
      description: 'Git repositories for `list_skills`, each `https://host/owner/name`.',
    }),
  skillsApiUrl: z.string().max(2_048).regex(API_URL).optional().meta({
    description:
      'REST API of the Git host. Unset: the API of the public host, or `/api/v3` of another host.',
  }),
  skillsToken,
  allowedHosts: z.array(z.string().max(253).regex(HOST)).max(MAX_LISTED).default([]).meta({
    description: 'Additional permitted host names of the service. `*` permits every name.',
  }),
  rbac: z
    .strictObject({
      create: z.boolean().default(true).meta({
        description:
          'Whether to create a Role and a RoleBinding in each managed namespace. Otherwise the permissions must be granted separately.',
      }),
    })
    .prefault({})
    .meta({ description: 'Permissions of the account.' }),
  serviceAccount,
  service,
  oauth,
  muster: registrationValues({
    name: 'agent-manager',
    description: 'Creates, changes and deletes agents, and reports their status.',
  }),
  resources: resources({
    requests: { cpu: '50m', memory: '128Mi' },
    limits: { memory: '256Mi' },
  }),
  probes: serviceProbes('Checks until the process has started.'),
  terminationGracePeriodSeconds,
  ...podValues,
  podDisruptionBudget: z
    .strictObject({
      enabled: z.boolean().default(false).meta({
        description: 'Whether to create a PodDisruptionBudget. Useful with two or more replicas.',
      }),
      maxUnavailable: z
        .int()
        .min(1)
        .default(1)
        .meta({ description: 'Maximum number of pods that a drain can evict at a time.' }),
    })
    .prefault({})
    .meta({ description: 'The PodDisruptionBudget.' }),
  networkPolicy: z
    .strictObject({
      enabled: z.boolean().default(false).meta({
        description: 'Whether to restrict access to the peers in `ingressFrom`.',
      }),
      ingressFrom: forwardedList(
        'Peers with access to the service, such as the gateway pods. Empty: no peer.',
      ),
    })
    .prefault({})
    .meta({ description: 'The NetworkPolicy of the pods.' }),
  global: globalValues,
});
