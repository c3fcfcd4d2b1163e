import type { LoginOutcome, LogoutOutcome } from '../tool/sign-in-port.ts';

type LoginTexts = {
  readonly [K in LoginOutcome['kind']]: (
    server: string,
    outcome: Extract<LoginOutcome, { readonly kind: K }>,
  ) => string;
};

/** The texts of the outcomes of `core_auth_login`. */
const loginTexts: LoginTexts = {
  'signed-in': (server) => `Server '${server}' is already authenticated.`,
  connected: (server, { toolsCount }) =>
    `Successfully connected to '${server}'!\n\nThe server's tools are now available: ${String(toolsCount)} tools.`,
  challenge: (server, { status, url }) =>
    `Authentication Required\n\nServer: ${server}\nStatus: ${status}\n\nPlease sign in to connect to this server:\n\n${url}\n\nAfter signing in, run this tool again to complete the connection.`,
  'not-configured': (server, { remedy }) =>
    `OAuth is not configured. Server '${server}' requires authentication but OAuth proxy is not enabled. ${remedy}`,
  'no-metadata': (server, { problem }) =>
    `Cannot authenticate to '${server}': RFC 9728 protected resource metadata ${problem === undefined ? 'not found' : `cannot be used: ${problem}`}. On the MCPServer set spec.auth.type=oauth and spec.auth.authorizationServer.issuer to pin the authorization server.`,
  'connect-failed': (server, { reason }) =>
    `Failed to connect to '${server}': ${reason}. Run core_auth_login again to try again.`,
  failed: (server, { reason }) => `Cannot authenticate to '${server}': ${reason}`,
  'rate-limited': (server, { limit, remaining, retryAfterSeconds }) =>
    `Too many sign-in attempts for '${server}': ${String(limit)} per minute are allowed, ${String(remaining)} attempts remain; try again in ${String(retryAfterSeconds)} s`,
};

/** Returns the text of an outcome of `core_auth_login`. */
export const loginText = <K extends LoginOutcome['kind']>(
  server: string,
  outcome: Extract<LoginOutcome, { readonly kind: K }> & { readonly kind: K },
): string => loginTexts[outcome.kind](server, outcome);

/** Returns the text of an outcome of `core_auth_logout`. */
export const logoutText = (server: string, outcome: LogoutOutcome): string => {
  switch (outcome.kind) {
    case 'signed-out':
      return `Successfully logged out from '${server}'.\n\nThe server's tools are now hidden. Sign in again with core_auth_login.`;
    case 'not-signed-in':
      return `You are not signed in to server '${server}'.`;
    case 'failed':
      return `Failed to log out from '${server}': ${outcome.reason}`;
  }
};
