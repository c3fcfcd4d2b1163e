import { openFor } from '../open-requirement.ts';

/** What the Helm charts render and ship. */
export const chartRequirements = openFor('charts', {
  '2.2/gateway-chart-path':
    'toolsetPresets is the value muster.toolsetPresets on the gateway chart.',
});
