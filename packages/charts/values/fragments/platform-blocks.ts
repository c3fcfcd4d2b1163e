import { DEFAULT_LABEL_DOMAIN } from '@gateway/crd-schemas';

const toolGroup = (group: 'agent-platform' | 'infrastructure'): string =>
  `${DEFAULT_LABEL_DOMAIN}/tool-group=${group}`;

/**
 * The presets of the fleet meta-package and the standalone chart.
 *
 * @spec §2.3
 */
const PLATFORM_PRESETS = {
  infrastructure: {
    description:
      'The servers for the infrastructure underneath the platform (the management clusters of the installations) — mcp-kubernetes, mcp-capi, mcp-prometheus.',
    include: [{ label: toolGroup('infrastructure') }],
  },
  'agent-platform': {
    description:
      'The platform’s own management surface — agent-manager, model-manager, cluster-manager and the gateway’s core tools.',
    include: [{ label: toolGroup('agent-platform') }, { pattern: 'core_*' }],
  },
} as const;

/** The oldest gateway that supports these presets: the first with the rule `label`. @spec §2.2, §9.2 */
export const GATEWAY_FLOOR = '5.12.0';

/** The values that register a managed service with the gateway. */
export const REGISTERED = { muster: { mcpServer: { enabled: true } } } as const;

/**
 * The values of the gateway as a part of the platform: it reads the servers that the other parts register, and has the platform presets.
 */
export const PLATFORM_GATEWAY = {
  muster: { kubernetes: { enabled: true }, toolsetPresets: PLATFORM_PRESETS },
} as const;

/** Returns the description of the gateway's block of values; `judges` describes its validation. */
export const gatewayBlockText = (judges: string): string =>
  `Values of the chart \`gateway\`, ${judges}. Its own key \`muster\` is the configuration of the gateway: presets stand under \`muster.muster.toolsetPresets\` and are merged with the two shipped ones.`;
