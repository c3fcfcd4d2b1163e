import { z } from 'zod';
import { globalValues } from './fragments/installation.ts';
import { PLATFORM_PRESETS } from './fragments/platform-presets.ts';

const part = (chart: string) =>
  z
    .strictObject({
      enabled: z.boolean().default(true).meta({ description: 'Whether it is installed.' }),
    })
    .prefault({})
    .meta({ description: `The chart \`${chart}\`.` });

const block = (chart: string, defaults: Readonly<Record<string, unknown>> = {}) =>
  z
    .looseObject({})
    .default(defaults)
    .meta({ description: `Values of the chart \`${chart}\`, whose own schema judges them.` });

/** Registration at the gateway is what makes a service a part of the platform. */
const REGISTERED = { muster: { mcpServer: { enabled: true } } };

/** Values of the chart `standalone`. */
export const standaloneValues = z.strictObject({
  global: globalValues,
  components: z
    .strictObject({
      muster: part('gateway'),
      'agent-platform-mcps': part('agent-platform-mcps'),
      'agent-manager': part('agent-manager'),
      'model-manager': part('model-manager'),
      'mcp-kubernetes': part('mcp-kubernetes'),
    })
    .prefault({})
    .meta({ description: 'The parts of the platform.' }),
  muster: z
    .looseObject({})
    .default({
      nameOverride: 'gateway',
      remoteMCPServer: { enabled: true },
      muster: { toolsetPresets: PLATFORM_PRESETS },
    })
    .meta({
      description:
        'Values of the chart `gateway`, whose own schema judges them. Its own key `muster` is the configuration of the gateway: presets stand under `muster.muster.toolsetPresets`, and an installation’s join the two shipped ones.',
    }),
  'agent-platform-mcps': block('agent-platform-mcps'),
  'agent-manager': block('agent-manager', REGISTERED),
  'model-manager': block('model-manager', REGISTERED),
  'mcp-kubernetes': block('mcp-kubernetes'),
});
