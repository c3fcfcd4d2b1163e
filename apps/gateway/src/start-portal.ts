import { fileURLToPath } from 'node:url';
import type { ServeArguments } from '@gateway/gateway-cli';
import type { ListeningGatewayOptions } from '@gateway/gateway-runtime';
import { validateLocalPortal, serveLocalPortal } from '@gateway/portal-service';
import { DRAIN_TIMEOUT_MS, formatStartFailure } from '@gateway/service-host';

const WEB_ROOT = fileURLToPath(new URL('web', import.meta.url));

export { validateLocalPortal };

/** A portal that runs in this process. */
export interface RunningPortal {
  /** Lets running requests finish, then closes. Can be called more than once. */
  readonly stop: () => Promise<void>;
}

/** Starts the portal in front of the endpoint of a gateway. */
export type StartPortal = (gateway: string) => Promise<RunningPortal>;

/** The part of a gateway that serves the portal too. */
export interface PortalParts {
  readonly startPortal?: StartPortal | undefined;
}

/** Serves the portal in front of a gateway. Rejects when it cannot. */
export async function startPortal(
  { portal: port = 0, agentManager }: Pick<ServeArguments, 'portal' | 'agentManager'>,
  gateway: string,
  logger: ListeningGatewayOptions['logger'],
): Promise<RunningPortal> {
  const log = {
    warn: (message: string) => logger.warn(message),
    info: (message: string) => logger.info(message),
  };
  const served = await serveLocalPortal({
    port,
    gateway,
    log,
    webRoot: WEB_ROOT,
    ...(agentManager !== undefined && { agentManager }),
  }).catch((error: unknown) => {
    throw new Error(formatStartFailure(error, { host: '127.0.0.1', port, portOption: '--portal' }));
  });
  if (!served.ok) throw new Error(served.problem);
  const { portal } = served;
  logger.info({ url: portal.url }, 'the portal serves');
  let stopped: Promise<void> | undefined;
  return { stop: () => (stopped ??= portal.drain(DRAIN_TIMEOUT_MS)) };
}
