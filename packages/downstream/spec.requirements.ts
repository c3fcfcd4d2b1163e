import type { Requirements } from '@gateway/repo-checks';

/** What this package owes the specification: how servers run, and the states they are in. */
export const requirements = {
  '2.6/state-stdio': 'A stdio server is Running, Starting, Stopped or Failed.',
  '2.6/state-remote':
    'A remote server is Connected, Auth Required, Connecting, Disconnected or Failed.',
  '2.6/state-per-user': 'Per-user authentication state is no part of the state.',
  '2.6/run-stdio': 'A stdio server is run as its command with its args.',
  '2.6/run-remote': 'A remote server is reached at its url over Streamable HTTP or SSE.',
  '2.6/run-env': 'The environment variables of env reach the server.',
  '2.6/run-headers': 'Requests to a remote server carry its headers.',
  '2.6/run-auto-start': 'A server with autoStart starts by itself; one without waits to be asked.',
  '2.6/run-timeout': 'Connecting to a remote server takes timeout seconds at most.',
  '2.6/auth-state-per-user':
    'Per-user authentication state is tracked outside the resource status.',
  '5.1/auth-none': 'With auth type none a remote server gets nothing but its headers.',
  '5.1/auth-oauth': 'With auth type oauth a server that answers 401 needs sign-in.',
} as const satisfies Requirements;
