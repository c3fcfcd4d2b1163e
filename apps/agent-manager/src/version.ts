import manifest from '../package.json' with { type: 'json' };

/** The version of agent-manager in its `package.json`. */
export const AGENT_MANAGER_VERSION: string = manifest.version;
