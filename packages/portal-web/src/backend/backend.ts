import { createAgentManagerClient, type AgentManagerClient } from '@gateway/agent-manager-client';
import { createMcpClient, type McpClient } from '../mcp/mcp-client.ts';
import { readMetrics } from './read-metrics.ts';
import { createRequestGate, type RequestGate } from './request-gate.ts';
import { backendUrl, type PortalSession } from './session.ts';

/** The services of the portal, in the name of the person. */
export interface Backend {
  readonly session: PortalSession;
  readonly gateway: McpClient;
  /** Absent where the portal has no agent-manager. */
  readonly agentManager?: AgentManagerClient;
  /** Reads the metrics of the gateway. Rejects when they are not available. */
  readonly readMetrics: (signal: AbortSignal) => Promise<string>;
  readonly holdRequests: RequestGate['hold'];
}

const TOKEN_HEADER = 'x-portal-token';

/** The backend no longer knows the token, as after a restart: the session has another one. */
const isOutdated = ({ headers }: Response): boolean =>
  headers.get('x-portal-refusal') === 'forged-request';

/**
 * Connects the services of a session.
 *
 * @param onSignedOut called when the session has ended or has another token
 */
export const createBackend = (session: PortalSession, onSignedOut: () => void): Backend => {
  const gate = createRequestGate();
  const send: typeof fetch = async (input, init = {}) => {
    const headers = new Headers(init.headers);
    if (session.token !== undefined) headers.set(TOKEN_HEADER, session.token);
    await gate.passed();
    const response = await fetch(input, { ...init, headers, redirect: 'error' });
    if (response.status === 401 || isOutdated(response)) onSignedOut();
    return response;
  };
  return {
    session,
    gateway: createMcpClient((init) => send(backendUrl('mcp'), init)),
    ...(session.hasAgentManager && {
      agentManager: createAgentManagerClient({ baseUrl: backendUrl('agent-manager'), fetch: send }),
    }),
    readMetrics: (signal) =>
      readMetrics(() => send(backendUrl('metrics'), { signal, cache: 'no-store' })),
    holdRequests: gate.hold,
  };
};
