import { z } from 'zod';
import { containerValues } from './fragments/gateway-container.ts';
import { gatewayNetworkValues } from './fragments/gateway-network.ts';
import { resourceFileValues } from './fragments/gateway-resources.ts';
import { apiGroup, globalValues, labelDomain } from './fragments/installation.ts';
import { passedOn } from './fragments/kubernetes.ts';
import {
  extraValues,
  image,
  namingValues,
  podValues,
  serviceAccount,
} from './fragments/workload.ts';

/** Values of the chart `gateway`. */
export const gatewayValues = z.strictObject({
  global: globalValues,
  apiGroup,
  labelDomain,
  ...namingValues,
  muster: passedOn(
    'The gateway’s configuration, `config.yaml`. What is not set has the gateway’s own default.',
  ),
  ...resourceFileValues,
  image: image('gateway'),
  ...containerValues,
  serviceAccount,
  ...podValues,
  ...extraValues,
  ...gatewayNetworkValues,
});
