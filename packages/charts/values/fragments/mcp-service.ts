import { z } from 'zod';
import { texts } from './kubernetes.ts';
import { probe } from './workload.ts';

/** The Service of an MCP workload. */
export const service = z
  .strictObject({
    port: z.int().min(1).max(65_535).default(8_080).meta({ description: 'Port of the Service.' }),
    annotations: texts('Annotations of the Service.'),
  })
  .prefault({})
  .meta({ description: 'The Service.' });

/** The probes of such a workload; the startup condition differs. */
export const serviceProbes = (startup: string) =>
  z
    .strictObject({
      startup: probe(startup, { periodSeconds: 2, failureThreshold: 30 }),
      readiness: probe('Readiness probe.', {
        periodSeconds: 5,
        failureThreshold: 3,
      }),
      liveness: probe('Liveness probe.', {
        periodSeconds: 10,
        failureThreshold: 3,
      }),
    })
    .prefault({})
    .meta({ description: 'The probes.' });

/** Termination grace period of the pods. */
export const terminationGracePeriodSeconds = z
  .int()
  .min(0)
  .default(30)
  .meta({ description: 'Seconds for requests in progress when a pod stops.' });
