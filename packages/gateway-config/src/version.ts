import manifest from '../package.json' with { type: 'json' };

/** The gateway's version, as its package manifest states it. @spec §9.2 */
export const GATEWAY_VERSION: string = manifest.version;
