import { z } from 'zod';
import { passedOn, passedOnList, texts } from './kubernetes.ts';
import { DNS_LABEL } from './texts.ts';

/** Host of the registry that images come from. Private use, so that nothing is pulled from a stranger's namespace. */
const DEFAULT_REGISTRY = 'registry.gateway.internal';

/** The user and group that nothing else on a node has. */
const NOBODY = 65_532;

/** The image of a workload. */
export const image = (repository: string) =>
  z
    .strictObject({
      registry: z
        .string()
        .default(DEFAULT_REGISTRY)
        .meta({ description: 'Registry. `global.imageRegistry` of a parent chart wins.' }),
      repository: z.string().min(1).default(repository).meta({ description: 'Repository.' }),
      tag: z.string().optional().meta({ description: 'Tag. Unset: the version of the app.' }),
      digest: z
        .string()
        .regex(/^sha256:[0-9a-f]{64}$/u)
        .optional()
        .meta({ description: 'Digest, `sha256:…`. Wins over the tag.' }),
      pullPolicy: z
        .enum(['Always', 'IfNotPresent', 'Never'])
        .default('IfNotPresent')
        .meta({ description: 'When the image is pulled.' }),
    })
    .prefault({})
    .meta({ description: 'The container image.' });

/** How a chart and its objects are called. */
export const namingValues = {
  nameOverride: z
    .string()
    .max(63)
    .regex(DNS_LABEL)
    .optional()
    .meta({ description: 'Stands for the name of the chart in the names of its objects.' }),
  fullnameOverride: z
    .string()
    .max(63)
    .regex(DNS_LABEL)
    .optional()
    .meta({ description: 'The name of the objects. Unset: release and chart.' }),
};

/** The account of a workload's pods. */
export const serviceAccount = z
  .strictObject({
    create: z.boolean().default(true).meta({ description: 'Whether the chart makes the account.' }),
    name: z.string().max(253).optional().meta({
      description: 'Its name. Unset: the name of the objects, or `default` when none is made.',
    }),
    annotations: texts('Annotations of the account.'),
  })
  .prefault({})
  .meta({ description: 'The ServiceAccount of the pods.' });

/** What hardened pods run as, and where they run. */
export const podValues = {
  imagePullSecrets: passedOnList('Secrets for the registry.', [{ name: 'registry' }]),
  podAnnotations: texts('Further annotations of the pods.'),
  podLabels: texts('Further labels of the pods.'),
  podSecurityContext: z
    .looseObject({})
    .default({
      runAsNonRoot: true,
      runAsUser: NOBODY,
      runAsGroup: NOBODY,
      fsGroup: NOBODY,
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
  tolerations: passedOnList('Taints that the pods tolerate.'),
  affinity: passedOn('Affinity of the pods.'),
  topologySpreadConstraints: passedOnList(
    'How the pods spread. One without `labelSelector` counts the pods of this release.',
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
    .meta({ description: 'Priority class of the pods. Unset: that of the cluster.' }),
};

/** How often a probe asks, and how many failures it takes. */
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
        .meta({ description: 'Seconds between two questions.' }),
      timeoutSeconds: z
        .int()
        .min(1)
        .default(3)
        .meta({ description: 'Seconds to wait for the answer.' }),
      failureThreshold: z
        .int()
        .min(1)
        .default(defaults.failureThreshold)
        .meta({ description: 'Failures in a row that count.' }),
    })
    .prefault({})
    .meta({ description });

/** What is added to the pods of a workload. */
export const extraValues = {
  extraEnv: passedOnList('Further environment variables of the container.', [
    { name: 'TZ', value: 'Europe/Berlin' },
  ]),
  envFrom: passedOnList('ConfigMaps and Secrets whose keys become environment variables.', [
    { secretRef: { name: 'environment' } },
  ]),
  extraVolumes: passedOnList('Further volumes of the pods.', [
    { name: 'authorities', configMap: { name: 'company-authorities' } },
  ]),
  extraVolumeMounts: passedOnList('Further mounts of the container.', [
    { name: 'authorities', mountPath: '/etc/ssl/company', readOnly: true },
  ]),
  initContainers: passedOnList('Containers that run before.'),
  sidecars: passedOnList('Containers that run beside.'),
};
