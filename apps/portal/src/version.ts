import manifest from '../package.json' with { type: 'json' };

/** The version of the portal, as its package manifest states it. */
export const PORTAL_VERSION: string = manifest.version;
