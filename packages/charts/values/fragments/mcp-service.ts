import { z } from 'zod';
import { texts } from './kubernetes.ts';
import { probe } from './workload.ts';

/** The Service of a workload that serves MCP to the gateway. */
export const service = z
  .strictObject({
    port: z.int().min(1).max(65_535).default(8_080).meta({ description: 'Port of the Service.' }),
    annotations: texts('Annotations of the Service.'),
  })
  .prefault({})
  .meta({ description: 'The Service.' });

/** The probes of such a workload; what the first one waits for differs. */
export const serviceProbes = (startup: string) =>
  z
    .strictObject({
      startup: probe(startup, { periodSeconds: 2, failureThreshold: 30 }),
      readiness: probe('Whether requests are sent to the pod.', {
        periodSeconds: 5,
        failureThreshold: 3,
      }),
      liveness: probe('Whether the pod is started again.', {
        periodSeconds: 10,
        failureThreshold: 3,
      }),
    })
    .prefault({})
    .meta({ description: 'The probes.' });

/** How long its pods may take to end. */
export const terminationGracePeriodSeconds = z
  .int()
  .min(0)
  .default(30)
  .meta({ description: 'Seconds that requests under way have when a pod is stopped.' });
