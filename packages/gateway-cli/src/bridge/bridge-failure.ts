/** Why a request has no answer of the gateway, or why the bridge cannot start. */
export type BridgeFailure =
  /** Nothing was sent: no connection could be opened. */
  | { readonly code: 'unreachable'; readonly reason: string }
  /** The connection ended after the request was sent. */
  | { readonly code: 'lost'; readonly reason: string }
  /** The gateway requires a sign-in, or does not accept the token. */
  | { readonly code: 'unauthorized' }
  | { readonly code: 'refused'; readonly status: number }
  | { readonly code: 'no-endpoint' }
  /** An answer that is not one of MCP. */
  | { readonly code: 'not-mcp'; readonly status: number }
  /** The session of the request has ended, and its stream cannot be resumed. */
  | { readonly code: 'session-ended' }
  | { readonly code: 'too-large' }
  /** `limit` with its unit. */
  | { readonly code: 'too-many'; readonly limit: string };

/** Returns the text of a failure; it has no credentials and no content of messages. */
export const bridgeFailureText = (failure: BridgeFailure, url: string): string => {
  switch (failure.code) {
    case 'unreachable':
      return `no gateway answers at ${url} (${failure.reason})`;
    case 'lost':
      return `the connection to the gateway at ${url} ended before its answer (${failure.reason}); a call may have been executed`;
    case 'unauthorized':
      return `the gateway at ${url} requires a sign-in: run gateway auth login ${url}, or set GATEWAY_TOKEN`;
    case 'refused':
      return `the gateway at ${url} refuses this client: HTTP ${failure.status}`;
    case 'no-endpoint':
      return `there is no MCP endpoint at ${url}; the path of a gateway is /mcp`;
    case 'not-mcp':
      return `${url} answers HTTP ${failure.status} with something else than MCP`;
    case 'session-ended':
      return `the gateway at ${url} was restarted before its answer; a call may have been executed`;
    case 'too-large':
      return `a message of the gateway at ${url} exceeds the limit of 64 MiB`;
    case 'too-many':
      return `more than ${failure.limit} are waiting for an answer`;
  }
};
