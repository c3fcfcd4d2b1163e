import { z } from 'zod';
import { forwarded, forwardedList, texts } from './kubernetes.ts';
import { DNS_LABEL } from './texts.ts';

/** Registry of the images. A private name, so that no image is pulled by accident. */
const DEFAULT_REGISTRY = 'registry.gateway.internal';

/** A user and group that no other process of a node uses. */
const UNPRIVILEGED_ID = 65_532;

/** The image of a workload. */
export const image = (repository: string) =>
  z
    .strictObject({
      registry: z.string().default(DEFAULT_REGISTRY).meta({
        description: 'Registry. `global.imageRegistry` of a parent chart takes precedence.',
      }),
      repository: z.string().min(1).default(repository).meta({ description: 'Repository.' }),
      tag: z
        .string()
        .optional()
        .meta({ description: 'Tag. Unset: the version of the application.' }),
      digest: z
        .string()
        .regex(/^sha256:[0-9a-f]{64}$/u)
        .optional()
        .meta({ description: 'Digest, `sha256:…`. Takes precedence over the tag.' }),
      pullPolicy: z
        .enum(['Always', 'IfNotPresent', 'Never'])
        .default('IfNotPresent')
        .meta({ description: 'Pull policy of the image.' }),
    })
    .prefault({})
    .meta({ description: 'The container image.' });

/** Names of a chart and its objects. */
export const namingValues = {
  nameOverride: z
    .string()
    .max(63)
    .regex(DNS_LABEL)
    .optional()
    .meta({ description: 'Replaces the name of the chart in the names of its objects.' }),
  fullnameOverride: z
    .string()
    .max(63)
    .regex(DNS_LABEL)
    .optional()
    .meta({ description: 'Name of the objects. Unset: release and chart.' }),
};

/** The service account of a workload. */
export const serviceAccount = z
  .strictObject({
    create: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether the chart creates the account.' }),
    name: z.string().max(253).optional().meta({
      description:
        'Name of the account. Unset: the name of the objects, or `default` without `create`.',
    }),
    annotations: texts('Annotations of the account.'),
  })
  .prefault({})
  .meta({ description: 'The ServiceAccount of the pods.' });

/** Security context and placement of hardened pods. */
export const podValues = {
  imagePullSecrets: forwardedList('Pull secrets of the registry.', [{ name: 'registry' }]),
  podAnnotations: texts('Further annotations of the pods.'),
  podLabels: texts('Further labels of the pods.'),
  podSecurityContext: z
    .looseObject({})
    .default({
      runAsNonRoot: true,
      runAsUser: UNPRIVILEGED_ID,
      runAsGroup: UNPRIVILEGED_ID,
      fsGroup: UNPRIVILEGED_ID,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    })
    .meta({ description: 'Security context of the pods.' }),
  securityContext: z
    .looseObject({})
    .default({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    .meta({ description: 'Security context of the container.' }),
  nodeSelector: texts('Labels of the nodes that the pods may run on.'),
  tolerations: forwardedList('Taints that the pods tolerate.'),
  affinity: forwarded('Affinity of the pods.'),
  topologySpreadConstraints: forwardedList(
    'Topology spread constraints. A constraint without `labelSelector` applies to the pods of this release.',
    [
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'ScheduleAnyway',
      },
    ],
  ),
  priorityClassName: z
    .string()
    .optional()
    .meta({ description: 'Priority class of the pods. Unset: the default of the cluster.' }),
};

/** Interval and failure threshold of a probe. */
export const probe = (
  description: string,
  defaults: { readonly periodSeconds: number; readonly failureThreshold: number },
) =>
  z
    .strictObject({
      periodSeconds: z
        .int()
        .min(1)
        .default(defaults.periodSeconds)
        .meta({ description: 'Seconds between two probes.' }),
      timeoutSeconds: z.int().min(1).default(3).meta({ description: 'Timeout in seconds.' }),
      failureThreshold: z
        .int()
        .min(1)
        .default(defaults.failureThreshold)
        .meta({ description: 'Consecutive failures before the probe fails.' }),
    })
    .prefault({})
    .meta({ description });

/** Additions to the pods of a workload. */
export const extraValues = {
  extraEnv: forwardedList('Further environment variables of the container.', [
    { name: 'TZ', value: 'Europe/Berlin' },
  ]),
  envFrom: forwardedList('ConfigMaps and Secrets whose keys become environment variables.', [
    { secretRef: { name: 'environment' } },
  ]),
  extraVolumes: forwardedList('Further volumes of the pods.', [
    { name: 'authorities', configMap: { name: 'company-authorities' } },
  ]),
  extraVolumeMounts: forwardedList('Further mounts of the container.', [
    { name: 'authorities', mountPath: '/etc/ssl/company', readOnly: true },
  ]),
  initContainers: forwardedList('Init containers.'),
  sidecars: forwardedList('Additional containers.'),
};
