/** Names of the environment variables with secrets, which a command line would show. */
export const ENVIRONMENT = {
  /** The secret that replicas share to sign session ids. */
  sessionKey: 'AGENT_MANAGER_SESSION_KEY',
  /** The token for the host of the skill repositories. */
  skillsToken: 'AGENT_MANAGER_SKILLS_TOKEN',
} as const;
