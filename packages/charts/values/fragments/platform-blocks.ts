import { PLATFORM_PRESETS } from './platform-presets.ts';

/** The values that make a managed service a part of the platform: it registers itself at the gateway. */
export const REGISTERED = { muster: { mcpServer: { enabled: true } } } as const;

/** The values of the gateway as a part of the platform: agents find it, and it knows the platform's presets. */
export const PLATFORM_GATEWAY = {
  remoteMCPServer: { enabled: true },
  muster: { toolsetPresets: PLATFORM_PRESETS },
} as const;

/** What the block of the gateway's values says of itself; `judges` is how its values are judged. */
export const gatewayBlockText = (judges: string): string =>
  `Values of the chart \`gateway\`, ${judges}. Its own key \`muster\` is the configuration of the gateway: presets stand under \`muster.muster.toolsetPresets\`, and an installation’s join the two shipped ones.`;
