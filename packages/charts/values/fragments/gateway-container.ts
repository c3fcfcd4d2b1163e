import { z } from 'zod';
import { passedOn, resources, texts } from './kubernetes.ts';
import { sessionKey } from './session-key.ts';
import { clusterDomain } from './texts.ts';
import { probe } from './workload.ts';

const service = z
  .strictObject({
    type: z
      .enum(['ClusterIP', 'NodePort', 'LoadBalancer'])
      .default('ClusterIP')
      .meta({ description: 'Type of the Service.' }),
    port: z.int().min(1).max(65_535).default(8090).meta({ description: 'Port of the Service.' }),
    nodePort: z
      .int()
      .min(1)
      .max(65_535)
      .optional()
      .meta({ description: 'Port on the nodes, for the types that have one.' }),
    sessionAffinity: z.enum(['None', 'ClientIP']).default('None').meta({
      description:
        'Whether a client keeps its pod. With more than one replica, answers to questions of servers find their call only then.',
    }),
    labels: texts('Further labels of the Service.'),
    annotations: texts('Annotations of the Service.'),
  })
  .prefault({})
  .meta({ description: 'The Service, by whose name the gateway is reached in the cluster.' });

const persistence = z
  .strictObject({
    enabled: z.boolean().default(false).meta({
      description:
        'Whether events, declared tools and records of runs outlive the pod, on a PersistentVolumeClaim. One replica only.',
    }),
    existingClaim: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'A claim that exists. Unset: the chart makes one.' }),
    storageClassName: z
      .string()
      .optional()
      .meta({ description: 'Storage class of the claim. Unset: that of the cluster.' }),
    accessModes: z
      .array(z.string())
      .min(1)
      .default(['ReadWriteOnce'])
      .meta({ description: 'Access modes of the claim.' }),
    size: z.string().default('2Gi').meta({
      description:
        'Size of the claim, or the limit of the emptyDir without one. Keep it above `muster.workflows.maxExecutionBytes`, 1 GiB by default.',
    }),
    annotations: texts('Annotations of the claim.'),
  })
  .prefault({})
  .meta({ description: 'Where the gateway writes what it remembers.' });

const rbac = z
  .strictObject({
    create: z.boolean().default(false).meta({
      description:
        'Whether the account may read and write the gateway’s resources in the cluster. This release reads files only; the token is mounted only when this is true.',
    }),
    clusterWide: z
      .boolean()
      .default(false)
      .meta({ description: 'In all namespaces (ClusterRole) instead of the release’s own.' }),
    secretNames: z
      .array(z.string().min(1))
      .default([])
      .meta({ description: 'Names of Secrets that may be read, such as those with credentials.' }),
  })
  .prefault({})
  .meta({ description: 'Rights of the account, for a later cluster mode.' });

const probes = z
  .strictObject({
    startup: probe('Until it is up: nothing else asks before.', {
      periodSeconds: 2,
      failureThreshold: 30,
    }),
    readiness: probe('Whether it gets requests: `/readyz`.', {
      periodSeconds: 5,
      failureThreshold: 3,
    }),
    liveness: probe('Whether it has to be replaced: `/healthz`.', {
      periodSeconds: 10,
      failureThreshold: 6,
    }),
  })
  .prefault({})
  .meta({ description: 'The probes.' });

/** The gateway's pods: how many, what runs in them, what they keep, how they start and end. */
export const containerValues = {
  replicas: z
    .int()
    .min(0)
    .default(1)
    .meta({ description: 'Pods. More than one need `sessionKey.existingSecret`.' }),
  revisionHistoryLimit: z
    .int()
    .min(0)
    .default(3)
    .meta({ description: 'Old ReplicaSets that are kept.' }),
  strategy: passedOn(
    'How pods are replaced. Empty: a new one is ready before an old one goes; with `persistence.enabled` the old one goes first.',
  ),
  workers: z
    .int()
    .min(1)
    .max(128)
    .default(1)
    .meta({ description: 'Processes that serve together in a pod, about one per core.' }),
  expose: z
    .enum(['meta', 'native'])
    .default('meta')
    .meta({ description: 'What callers see: the meta-tools, or the servers’ own tools.' }),
  logLevel: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .meta({ description: 'Least severe level that is logged.' }),
  logFormat: z
    .enum(['json', 'text'])
    .default('json')
    .meta({ description: 'JSON lines, or text for people.' }),
  clusterDomain,
  sessionKey,
  persistence,
  service,
  rbac,
  probes,
  preStopSeconds: z.int().min(0).default(5).meta({
    description:
      'Seconds between being taken out of the Service and SIGTERM, in which load balancers learn of it.',
  }),
  terminationGracePeriodSeconds: z.int().min(1).default(30).meta({
    description:
      'Seconds until a pod that ends is killed. Running requests have 8 s after `preStopSeconds`, servers two more.',
  }),
  resources: resources({
    requests: { cpu: '100m', memory: '256Mi' },
    limits: { memory: '1Gi' },
  }),
};
