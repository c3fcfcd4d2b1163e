import { DEFAULT_LABEL_DOMAIN } from '@gateway/crd-schemas';

const toolGroup = (group: 'agent-platform' | 'infrastructure'): string =>
  `${DEFAULT_LABEL_DOMAIN}/tool-group=${group}`;

/**
 * The presets of the fleet meta-package and the standalone chart.
 *
 * @spec §2.3
 */
export const PLATFORM_PRESETS = {
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
