import { PLATFORM_PRESETS } from './platform-presets.ts';

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
