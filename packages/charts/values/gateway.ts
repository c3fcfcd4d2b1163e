import { z } from 'zod';
import { containerValues } from './fragments/gateway-container.ts';
import { gatewayConfiguration } from './fragments/gateway-configuration.ts';
import { gatewayNetworkValues } from './fragments/gateway-network.ts';
import { topologySpreadConstraints } from './fragments/scaling.ts';
import { resourceFileValues } from './fragments/gateway-resources.ts';
import { apiGroup, globalValues, labelDomain } from './fragments/installation.ts';
import { valkey } from './fragments/valkey.ts';
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
  muster: gatewayConfiguration,
  ...resourceFileValues,
  image: image('gateway'),
  ...containerValues,
  serviceAccount,
  ...podValues,
  topologySpreadConstraints,
  ...extraValues,
  valkey,
  ...gatewayNetworkValues,
});
