import { z } from 'zod';
import { readConfigurationDefault } from '../../src/chart-schema.ts';
import { forwarded, resources, texts } from './kubernetes.ts';
import { gatewaySessionKey } from './session-key.ts';
import { clusterDomain, DNS_NAME } from './texts.ts';
import { probe } from './workload.ts';

const secretKey = (name: string, description: string) =>
  z.string().min(1).default(name).meta({ description });

/** The Secret with the keys and the password of the server that stores sign-ins. */
const stateSecret = z
  .strictObject({
    existingSecret: z.string().min(1).optional().meta({
      description:
        'Name of a Secret with the key that encrypts sign-ins and tokens in the server of `muster.state` (`openssl rand -base64 32`).',
    }),
    key: secretKey('state-key', 'Key in the Secret.'),
    previousKey: secretKey(
      'previous-state-key',
      'Key in the Secret of the previous state key, which only decrypts. It may be absent.',
    ),
    passwordKey: secretKey(
      'password',
      'Key in the Secret of the password of the server. It may be absent.',
    ),
  })
  .prefault({})
  .meta({ description: 'Secret of the server in `muster.state`, for `store: redis`.' });

const KEY = /^[-._a-zA-Z0-9]+$/u;

const files = (kind: 'secret' | 'configMap', title: string) =>
  z
    .array(
      z.strictObject({
        [kind]: z
          .string()
          .min(1)
          .max(253)
          .regex(DNS_NAME)
          .meta({ description: `Name of the ${title}.` }),
        keys: z
          .array(z.string().min(1).max(253).regex(KEY))
          .min(1)
          .meta({ description: `Keys of the ${title}; each is a file.` }),
      }),
    )
    .max(256)
    .default([]);

/** Secrets as files of the configuration. */
const secretFiles = files('secret', 'Secret').meta({
  description:
    'Existing Secrets whose keys become files `secrets/<secret>/<key>` of the configuration, for `clientSecretFile` and other keys of `muster` that name a file, and for `clientCredentialsSecretRef`, `envFrom` and `headersFrom` of servers. A changed Secret changes the files.',
  examples: [[{ secret: 'provider', keys: ['client-secret'] }]],
});

/** ConfigMaps as files of the configuration. */
const configMapFiles = files('configMap', 'ConfigMap').meta({
  description:
    'Existing ConfigMaps whose keys become files `configMaps/<configMap>/<key>` of the configuration, for `envFrom` and `headersFrom` of servers in `mcpservers` and `mcpserversFrom`. A changed ConfigMap changes the files.',
  examples: [[{ configMap: 'regions', keys: ['default'] }]],
});

const service = z
  .strictObject({
    type: z
      .enum(['ClusterIP', 'NodePort', 'LoadBalancer'])
      .default('ClusterIP')
      .meta({ description: 'Type of the Service.' }),
    port: z
      .int()
      .min(1)
      .max(65_535)
      .default(readConfigurationDefault('http.port'))
      .meta({ description: 'Port of the Service.' }),
    nodePort: z
      .int()
      .min(1)
      .max(65_535)
      .optional()
      .meta({ description: 'Node port, for the types `NodePort` and `LoadBalancer`.' }),
    sessionAffinity: z.enum(['None', 'ClientIP']).default('None').meta({
      description: 'Session affinity. Replicas with one server in `muster.state` need none.',
    }),
    labels: texts('Further labels of the Service.'),
    annotations: texts('Annotations of the Service.'),
  })
  .prefault({})
  .meta({ description: 'The Service of the gateway in the cluster.' });

const persistence = z
  .strictObject({
    enabled: z.boolean().default(false).meta({
      description:
        'Whether to store events, declared tools and records of runs on a PersistentVolumeClaim. One replica only.',
    }),
    existingClaim: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'An existing claim. Unset: the chart creates one.' }),
    storageClassName: z
      .string()
      .optional()
      .meta({ description: 'Storage class of the claim. Unset: the default of the cluster.' }),
    accessModes: z
      .array(z.string())
      .min(1)
      .default(['ReadWriteOnce'])
      .meta({ description: 'Access modes of the claim.' }),
    size: z.string().default('2Gi').meta({
      description:
        'Size of the claim, or the limit of the emptyDir without one. It must exceed `muster.workflows.maxExecutionBytes` (default 1 GiB).',
    }),
    annotations: texts('Annotations of the claim.'),
  })
  .prefault({})
  .meta({ description: 'Storage of the state.' });

const names = (description: string) =>
  z.array(z.string().min(1).max(253).regex(DNS_NAME)).default([]).meta({ description });

const rbac = z
  .strictObject({
    create: z.boolean().default(true).meta({
      description:
        'Whether to grant the account the permissions that `muster.kubernetes.enabled` requires: with Roles in `muster.kubernetes.namespaces`, or with a ClusterRole when those are all. Otherwise grant them separately.',
    }),
    secretNames: names(
      'Names of the Secrets that servers reference. They are readable in `muster.kubernetes.namespaces`, or in the namespace of the release when those are all.',
    ),
    configMapNames: names(
      'Names of the ConfigMaps that servers reference, in the same namespaces.',
    ),
    writeSecrets: z.boolean().default(false).meta({
      description:
        'Whether the account may read and write every Secret of the same namespaces, so that core tools and the portal store secrets of servers. Use namespaces without other Secrets. Otherwise they refuse a server with a secret, and servers reference Secrets that exist.',
    }),
  })
  .prefault({})
  .meta({ description: 'Permissions of the account in the cluster.' });

const probes = z
  .strictObject({
    startup: probe('Startup probe; the other probes wait for it.', {
      periodSeconds: 2,
      failureThreshold: 30,
    }),
    readiness: probe(
      'Readiness probe: `/readyz`, ready at the latest `muster.health.readySeconds` after the start.',
      {
        periodSeconds: 5,
        failureThreshold: 3,
      },
    ),
    liveness: probe('Liveness probe: `/healthz`.', {
      periodSeconds: 10,
      failureThreshold: 6,
    }),
  })
  .prefault({})
  .meta({ description: 'The probes, on the port of `muster.health`.' });

/** The pods of the gateway: number, containers, state, start and termination. */
export const containerValues = {
  replicas: z.int().min(0).default(1).meta({
    description:
      'Number of pods. More than one requires a server in `muster.state` that they share, or `valkey.enabled`.',
  }),
  revisionHistoryLimit: z
    .int()
    .min(0)
    .default(3)
    .meta({ description: 'Number of old ReplicaSets to retain.' }),
  strategy: forwarded(
    'Update strategy. Empty: a new pod is ready before an old one ends; with `persistence.enabled` the old pod ends first.',
  ),
  expose: z
    .enum(['meta', 'native'])
    .default('meta')
    .meta({ description: 'Exposure mode: the meta-tools, or the tools of the servers.' }),
  logLevel: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .meta({ description: 'Least severe level that is logged.' }),
  logFormat: z
    .enum(['json', 'text'])
    .default('json')
    .meta({ description: 'Log format: JSON lines or readable text.' }),
  clusterDomain,
  sessionKey: gatewaySessionKey,
  secretFiles,
  configMapFiles,
  stateSecret,
  persistence,
  service,
  rbac,
  probes,
  preStopSeconds: z.int().min(0).default(5).meta({
    description:
      'Seconds between removal from the Service and SIGTERM, so that load balancers can react.',
  }),
  terminationGracePeriodSeconds: z.int().min(1).default(30).meta({
    description:
      'Seconds until a terminating pod is killed: `preStopSeconds`, `muster.http.drainDelaySeconds`, `muster.http.drainSeconds`, and two more for servers.',
  }),
  resources: resources({
    requests: { cpu: '100m', memory: '256Mi' },
    limits: { memory: '1Gi' },
  }),
};
