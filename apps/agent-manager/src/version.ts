import manifest from '../package.json' with { type: 'json' };

/** The version of agent-manager, as its package manifest states it. */
export const AGENT_MANAGER_VERSION: string = manifest.version;
