import manifest from '../package.json' with { type: 'json' };

/** The version of the gateway. All packages of a release have the same version. @spec §9.2 */
export const GATEWAY_VERSION: string = manifest.version;
