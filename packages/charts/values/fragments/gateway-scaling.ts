import { z } from 'zod';
import { passedOn, passedOnList } from './kubernetes.ts';

const PERCENTAGE = /^([0-9]|[1-9][0-9]|100)%$/u;

const podsOrShare = (description: string) =>
  z
    .union([z.int().min(0), z.string().regex(PERCENTAGE)])
    .optional()
    .meta({ description });

const utilization = (fallback: number, description: string) =>
  z.int().min(0).max(1_000).default(fallback).meta({ description });

/** The HorizontalPodAutoscaler. */
export const autoscaling = z
  .strictObject({
    enabled: z.boolean().default(false).meta({
      description:
        'Whether the number of pods follows the load; `replicas` is not used then. Needs `sessionKey.existingSecret`.',
    }),
    minReplicas: z.int().min(1).default(2).meta({ description: 'Fewest pods.' }),
    maxReplicas: z.int().min(1).default(5).meta({ description: 'Most pods.' }),
    targetCPUUtilizationPercentage: utilization(
      80,
      'CPU in use on average, in percent of `resources.requests.cpu`. 0: CPU does not count.',
    ),
    targetMemoryUtilizationPercentage: utilization(
      0,
      'Memory in use on average, in percent of `resources.requests.memory`. 0: memory does not count.',
    ),
    metrics: passedOnList('Further metrics, as in `autoscaling/v2`.'),
    behavior: passedOn('How fast pods come and go, as in `autoscaling/v2`.'),
  })
  .prefault({})
  .meta({ description: 'The HorizontalPodAutoscaler.' });

/** The PodDisruptionBudget. */
export const podDisruptionBudget = z
  .strictObject({
    enabled: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether drains of nodes take care of the gateway.' }),
    minAvailable: podsOrShare('Pods, or a share of them, that stay. Not with `maxUnavailable`.'),
    maxUnavailable: podsOrShare(
      'Pods, or a share of them, that may go at once. Without this and `minAvailable` it is 1, which never holds up a drain.',
    ),
  })
  .prefault({})
  .meta({
    description: 'The PodDisruptionBudget. Pods that are not ready are always let go.',
  });
