/** Names of the environment variables that are read: secrets, which no command line should show. */
export const ENVIRONMENT = {
  /** The secret that replicas share. */
  sessionKey: 'AGENT_MANAGER_SESSION_KEY',
  /** The token for the host of the repositories with skills. */
  skillsToken: 'AGENT_MANAGER_SKILLS_TOKEN',
} as const;
