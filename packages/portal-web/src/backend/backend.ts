import { createAgentManagerClient, type AgentManagerClient } from '@gateway/agent-manager-client';
import { createMcpClient, type McpClient } from '../mcp/mcp-client.ts';
import { backendUrl, type PortalSession } from './session.ts';

/** The services of the portal, in the name of the person. */
export interface Backend {
  readonly session: PortalSession;
  readonly gateway: McpClient;
  /** Absent where the portal has no agent-manager. */
  readonly agentManager?: AgentManagerClient;
}

const TOKEN_HEADER = 'x-portal-token';

/**
 * Connects the services of a session.
 *
 * @param onSignedOut called when the session has ended
 */
export const createBackend = (session: PortalSession, onSignedOut: () => void): Backend => {
  const send: typeof fetch = async (input, init = {}) => {
    const headers = new Headers(init.headers);
    if (session.token !== undefined) headers.set(TOKEN_HEADER, session.token);
    const response = await fetch(input, { ...init, headers, redirect: 'error' });
    if (response.status === 401) onSignedOut();
    return response;
  };
  return {
    session,
    gateway: createMcpClient((init) => send(backendUrl('mcp'), init)),
    ...(session.hasAgentManager && {
      agentManager: createAgentManagerClient({ baseUrl: backendUrl('agent-manager'), fetch: send }),
    }),
  };
};
