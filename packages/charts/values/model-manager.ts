import { z } from 'zod';
import { apiGroup, globalValues, labelDomain } from './fragments/installation.ts';
import { oauthValues, registrationValues } from './fragments/registration.ts';
import { clusterDomain, DNS_LABEL } from './fragments/texts.ts';
import { namingValues } from './fragments/workload.ts';

/** Values of the chart `model-manager`. */
export const modelManagerValues = z.strictObject({
  ...namingValues,
  apiGroup,
  labelDomain,
  clusterDomain,
  service: z
    .strictObject({
      name: z.string().max(63).regex(DNS_LABEL).default('model-manager').meta({
        description: 'Name of the Service of model-manager. This chart does not create it.',
      }),
      port: z.int().min(1).max(65_535).default(8_080).meta({ description: 'Port of the Service.' }),
    })
    .prefault({})
    .meta({ description: 'Service of model-manager.' }),
  oauth: oauthValues,
  muster: registrationValues({
    name: 'model-manager',
    description: 'Lists and serves the models that agents may use.',
  }),
  global: globalValues,
});
