import { z } from 'zod';
import { globalValues } from './fragments/installation.ts';
import { gatewayBlockText, PLATFORM_GATEWAY, REGISTERED } from './fragments/platform-blocks.ts';

const part = (chart: string, isEnabled = true) =>
  z
    .strictObject({
      enabled: z
        .boolean()
        .default(isEnabled)
        .meta({ description: 'Whether the part is installed.' }),
    })
    .prefault({})
    .meta({ description: `The chart \`${chart}\`.` });

const block = (chart: string, defaults: Readonly<Record<string, unknown>> = {}) =>
  z
    .looseObject({})
    .default(defaults)
    .meta({ description: `Values of the chart \`${chart}\`, validated by its schema.` });

/** Hosts of the Services that the parts register; the gateway chart renders them. */
const OWN_SERVICES = [
  '{{ include "library.fullname" (dict "Chart" (dict "Name" "agent-manager") "Values" dict "Release" .Release) }}',
  'model-manager',
].map((name) => `${name}.{{ .Release.Namespace }}.svc.{{ .Values.clusterDomain }}`);

/** Values of the chart `standalone`. The defaults require nothing of the cluster: no agent runtime, no further namespace, no further service. */
export const standaloneValues = z.strictObject({
  global: globalValues,
  components: z
    .strictObject({
      muster: part('gateway'),
      'agent-platform-mcps': part('agent-platform-mcps'),
      'agent-manager': part('agent-manager'),
      'model-manager': part('model-manager', false),
      'mcp-kubernetes': part('mcp-kubernetes'),
      portal: part('portal', false),
    })
    .prefault({})
    .meta({ description: 'The parts of the platform.' }),
  muster: z
    .looseObject({})
    .default({
      nameOverride: 'gateway',
      remoteMCPServer: { enabled: 'auto' },
      ...PLATFORM_GATEWAY,
      muster: { ...PLATFORM_GATEWAY.muster, servers: { plainHttpTokenHosts: OWN_SERVICES } },
    })
    .meta({ description: gatewayBlockText('validated by its schema') }),
  'agent-platform-mcps': block('agent-platform-mcps'),
  'agent-manager': block('agent-manager', { ...REGISTERED, kagent: { namespace: '' } }),
  'model-manager': block('model-manager', REGISTERED),
  'mcp-kubernetes': block('mcp-kubernetes'),
  portal: block('portal'),
});
