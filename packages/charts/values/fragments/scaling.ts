import { z } from 'zod';
import { forwarded, forwardedList } from './kubernetes.ts';

const PERCENTAGE = /^([0-9]|[1-9][0-9]|100)%$/u;

const podsOrPercentage = (description: string) =>
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
        'Whether to scale pods automatically; `replicas` is then not used. Requires the same as more than one of `replicas`.',
    }),
    minReplicas: z.int().min(1).default(2).meta({ description: 'Fewest pods.' }),
    maxReplicas: z.int().min(1).default(5).meta({ description: 'Most pods.' }),
    targetCPUUtilizationPercentage: utilization(
      80,
      'Target average CPU use in percent of `resources.requests.cpu`. 0: no target.',
    ),
    targetMemoryUtilizationPercentage: utilization(
      0,
      'Target average memory use in percent of `resources.requests.memory`. 0: no target.',
    ),
    metrics: forwardedList('Additional metrics, as in `autoscaling/v2`.'),
    behavior: forwarded('Scaling behavior, as in `autoscaling/v2`.'),
  })
  .prefault({})
  .meta({ description: 'The HorizontalPodAutoscaler.' });

/** The PodDisruptionBudget. */
export const podDisruptionBudget = z
  .strictObject({
    enabled: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether to create a PodDisruptionBudget.' }),
    minAvailable: podsOrPercentage(
      'Number or percentage of pods that must stay available. Not with `maxUnavailable`.',
    ),
    maxUnavailable: podsOrPercentage(
      'Number or percentage of pods that can be unavailable. Default 1 without `minAvailable`, which never blocks a drain.',
    ),
  })
  .prefault({})
  .meta({
    description: 'The PodDisruptionBudget. Pods that are not ready can always be evicted.',
  });

/** Spread over nodes, unlike in other charts, because one gateway serves all agents. */
export const topologySpreadConstraints = z
  .array(z.looseObject({}))
  .default([
    {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'ScheduleAnyway',
    },
  ])
  .meta({
    description:
      'Topology spread constraints. A constraint without `labelSelector` applies to the pods of this release.',
  });
