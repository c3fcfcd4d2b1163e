import {
  toReachableUrl,
  type ServedPortal,
  servePortal,
  type ServePortalOptions,
} from './serve-portal.ts';

/** The options of {@link serveLocalPortal}. */
interface LocalPortalOptions extends Pick<ServePortalOptions, 'port' | 'webRoot' | 'log'> {
  /** The URL that the gateway listens on. */
  readonly gateway: string;
  /** URL of agent-manager; without it the portal has no pages of agents. */
  readonly agentManager?: string;
}

/**
 * Returns why a gateway cannot serve the portal of a single machine; undefined when it can.
 *
 * @param authMode `auth.mode` of the gateway
 */
export const validateLocalPortal = (authMode: string): string | undefined =>
  authMode === 'none'
    ? undefined
    : `--portal is for gateways without sign-in, and auth.mode is ${authMode}: start "portal serve" with --issuer, where persons sign in`;

/** Serves the portal of a single machine, which runs in the process of a gateway: without sign-in, and on the loopback address alone. */
export const serveLocalPortal = async ({
  gateway,
  ...options
}: LocalPortalOptions): Promise<ServedPortal> => {
  const base = toReachableUrl(gateway);
  return await servePortal({
    ...options,
    host: '127.0.0.1',
    gateway: new URL('/mcp', base).href,
    metrics: new URL('/metrics', base).href,
    scopes: '',
    token: 'access_token',
    key: undefined,
    environment: {},
  });
};
