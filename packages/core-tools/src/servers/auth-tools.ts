import type { JsonObject } from '@gateway/call-contract';
import { ASKS_OUTSIDE, STARTS } from '../tool/annotations.ts';
import type { TextArgument } from '../arguments/core-argument.ts';
import { defineCoreTool, type CoreTool } from '../tool/core-tool.ts';
import type { CoreToolPorts, ServerView } from '../tool/ports.ts';
import { STATES } from './state-table.ts';
import { failedResult, sentenceResult } from '../tool/result.ts';

const REQUIRED = "Error: 'server' argument is required and must be a string";

const SERVER = {
  type: 'string',
  required: true,
  description: 'Name of the MCP server',
  refusals: { missing: REQUIRED, wrongType: REQUIRED },
} as const satisfies TextArgument;

const serverOf = (ports: CoreToolPorts, name: string): ServerView | undefined =>
  ports.servers().find((server) => server.name === name);

/**
 * Returns whether a server requires a sign-in: because it reported that, or because its definition has credentials settings and it is not
 * connected.
 */
const wantsSignIn = ({ state, definition: { spec } }: ServerView): boolean => {
  if (state === 'Auth Required') return true;
  if (spec.type === 'stdio' || STATES[state].isConnected) return false;
  const { type, forwardToken, tokenExchange } = spec.auth;
  return type === 'oauth' || forwardToken || tokenExchange?.enabled === true;
};

const isConnected = ({ state }: ServerView): boolean => STATES[state].isConnected;

const loginResult = (name: string, view: ServerView | undefined): JsonObject => {
  if (view === undefined) {
    return failedResult(`Server '${name}' not found. Use list_tools to see available servers.`);
  }
  if (wantsSignIn(view)) {
    return failedResult(
      `OAuth is not configured. Server '${name}' requires authentication but OAuth proxy is not enabled. Credentials that everybody shares can stand in spec.headers of the MCPServer.`,
    );
  }
  return sentenceResult(
    isConnected(view)
      ? `Server '${name}' is already authenticated and connected.`
      : `Server '${name}' does not require authentication.`,
  );
};

const logoutResult = (name: string, view: ServerView | undefined): JsonObject => {
  if (view === undefined) return failedResult(`Server '${name}' not found.`);
  return sentenceResult(
    wantsSignIn(view)
      ? `You are not signed in to server '${name}'.`
      : `Server '${name}' does not require authentication.`,
  );
};

/** The tools about signing in to servers. @spec §5.2 */
export const authTools: readonly CoreTool[] = [
  defineCoreTool({
    name: 'core_auth_login',
    description: 'Sign in to an MCP server that requires it.',
    annotations: ASKS_OUTSIDE,
    arguments: { server: SERVER },
    run: ({ server }, ports) => loginResult(server, serverOf(ports, server)),
  }),
  defineCoreTool({
    name: 'core_auth_logout',
    description: 'Sign out of an MCP server.',
    annotations: STARTS,
    arguments: { server: SERVER },
    run: ({ server }, ports) => logoutResult(server, serverOf(ports, server)),
  }),
];
