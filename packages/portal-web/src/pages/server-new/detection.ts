import type { JsonObject } from '../../mcp/mcp-outcome.ts';
import { resourceName } from '@gateway/client-config';
import type { ServerDraft } from './server-draft.ts';

/** The server at an address, as `core_mcpserver_detect` found it. */
export interface Detection {
  readonly isReachable: boolean;
  readonly transport: string;
  readonly requiresAuth: boolean;
  readonly serverName?: string;
  readonly serverVersion?: string;
  /** The sentence of the gateway. */
  readonly detail: string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads an answer of `core_mcpserver_detect`. */
export const detectionOf = (answer: JsonObject): Detection => {
  const { serverName, serverVersion } = answer;
  return {
    isReachable: answer['reachable'] === true,
    transport: text(answer['transport']),
    requiresAuth: answer['requiresAuth'] === true,
    ...(typeof serverName === 'string' && { serverName }),
    ...(typeof serverVersion === 'string' && { serverVersion }),
    detail: text(answer['detail']),
  };
};

/** Returns a draft with what was detected. A name that the person entered stays. */
export const withDetection = (draft: ServerDraft, found: Detection): ServerDraft => ({
  ...draft,
  ...((found.transport === 'sse' || found.transport === 'streamable-http') && {
    transport: found.transport,
  }),
  ...(found.requiresAuth && draft.auth === 'none' && { auth: 'oauth' as const }),
  ...(draft.name === '' && { name: resourceName(found.serverName ?? '') }),
});

/** Returns a sentence about what was detected. */
export const detectionText = ({
  isReachable,
  transport,
  requiresAuth,
  serverName,
  serverVersion,
  detail,
}: Detection): string => {
  if (!isReachable) return `No MCP server answers at this address: ${detail}`;
  const server = [serverName ?? 'An MCP server', serverVersion].filter(Boolean).join(' ');
  const access = requiresAuth ? ' It requires a sign-in.' : '';
  return `${server} answers over ${transport}.${access}`;
};
