import { type AgentManagerClient, createAgentManagerClient } from '@gateway/agent-manager-client';
import { createContext, useContext } from 'react';
import { resolveBackendUrl, type PortalSession } from './session.ts';
import { createMcpClient, type McpClient } from '../mcp/mcp-client.ts';

/** The rest of a longer answer is not read. */
const MAX_BYTES = 4_000_000;

const readText = async (body: ReadableStream<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let [text, bytes] = ['', 0];
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true });
    bytes += read.value.length;
    if (bytes > MAX_BYTES) {
      await reader.cancel();
      break;
    }
  }
  return text;
};

/** Reads the metrics of the gateway. Rejects when they are not available. */
const readMetrics = async (send: () => Promise<Response>): Promise<string> => {
  const response = await send();
  if (!response.ok || response.body === null)
    throw new Error('The metrics of the gateway are not available.');
  return readText(response.body);
};

/** Lets requests pass, except while they are held. */
interface RequestGate {
  /** Resolves when the request may be sent. */
  readonly waitUntilOpen: () => Promise<void>;
  /** Holds the requests from now on. Returns the function that lets them pass again. */
  readonly close: () => () => void;
}

/** Creates a gate that is open. */
const createRequestGate = (): RequestGate => {
  const holds = new Set<Promise<void>>();
  return {
    waitUntilOpen: async () => {
      while (holds.size > 0) await Promise.all(holds);
    },
    close: () => {
      let resolve = (): void => undefined;
      const end = new Promise<void>((done) => {
        resolve = done;
      });
      holds.add(end);
      return () => {
        holds.delete(end);
        resolve();
      };
    },
  };
};

/** The services of the portal, in the name of the user. */
export interface Backend {
  readonly session: PortalSession;
  readonly gateway: McpClient;
  /** Absent where the portal has no agent-manager. */
  readonly agentManager?: AgentManagerClient;
  /** Reads the metrics of the gateway. Rejects when they are not available. */
  readonly readMetrics: (signal: AbortSignal) => Promise<string>;
  readonly holdRequests: RequestGate['close'];
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
    await gate.waitUntilOpen();
    const response = await fetch(input, { ...init, headers, redirect: 'error' });
    if (response.status === 401 || isOutdated(response)) onSignedOut();
    return response;
  };
  return {
    session,
    gateway: createMcpClient((init) => send(resolveBackendUrl('mcp'), init)),
    ...(session.hasAgentManager && {
      agentManager: createAgentManagerClient({
        baseUrl: resolveBackendUrl('agent-manager'),
        fetch: send,
      }),
    }),
    readMetrics: (signal) =>
      readMetrics(() => send(resolveBackendUrl('metrics'), { signal, cache: 'no-store' })),
    holdRequests: gate.close,
  };
};

/** The services of the page. */
export const BackendContext = createContext<Backend | undefined>(undefined);

/** Returns the services of the page. Throws outside of the application. */
export const useBackend = (): Backend => {
  const backend = useContext(BackendContext);
  if (backend === undefined) throw new Error('no backend');
  return backend;
};
