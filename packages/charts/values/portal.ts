import { z } from 'zod';
import { globalValues, labelDomain } from './fragments/installation.ts';
import { resources } from './fragments/kubernetes.ts';
import { service, serviceProbes, terminationGracePeriodSeconds } from './fragments/mcp-service.ts';
import { portalExposureValues } from './fragments/portal-exposure.ts';
import { portalSignInValues } from './fragments/portal-sign-in.ts';
import { autoscaling, podDisruptionBudget } from './fragments/scaling.ts';
import { clusterDomain, HTTP_URL } from './fragments/texts.ts';
import {
  extraValues,
  image,
  namingValues,
  podValues,
  serviceAccount,
} from './fragments/workload.ts';

const url = (description: string) =>
  z.string().max(2_048).regex(HTTP_URL).optional().meta({ description });

const muster = z
  .strictObject({
    url: url(
      'MCP endpoint of the gateway. Unset: the Service `gateway` in the namespace of the release; in the chart `standalone`, the gateway of the release.',
    ),
    metricsUrl: url(
      'Metrics of the gateway, such as `http://gateway:8090/metrics`. Unset: the portal shows no charts.',
    ),
  })
  .prefault({})
  .meta({ description: 'The gateway. `muster` is its key in all charts.' });

const logging = z
  .strictObject({
    format: z.enum(['json', 'text']).default('json').meta({ description: 'Form of the log.' }),
    level: z
      .enum(['debug', 'info', 'warn', 'error'])
      .default('info')
      .meta({ description: 'Lowest level that is logged.' }),
  })
  .prefault({})
  .meta({ description: 'The log.' });

/** Values of the chart `portal`. */
export const portalValues = z.strictObject({
  ...namingValues,
  labelDomain,
  clusterDomain,
  image: image('portal'),
  replicas: z.int().min(0).default(1).meta({
    description:
      'Number of pods. More than one pod requires `sessionKey.existingSecret`, and with `signIn.issuer` also `redis.url`.',
  }),
  muster,
  agentManager: z
    .strictObject({
      url: url(
        'URL of agent-manager, such as `http://agent-manager:8080`. Unset: the portal has no pages of agents.',
      ),
    })
    .prefault({})
    .meta({ description: 'agent-manager.' }),
  ...portalSignInValues,
  logging,
  serviceAccount,
  service,
  resources: resources({
    requests: { cpu: '20m', memory: '96Mi' },
    limits: { memory: '256Mi' },
  }),
  probes: serviceProbes('Checks until the process has started.'),
  terminationGracePeriodSeconds,
  ...podValues,
  ...extraValues,
  autoscaling,
  podDisruptionBudget,
  ...portalExposureValues,
  global: globalValues,
});
