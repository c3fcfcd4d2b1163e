import { createLogger, DRAIN_TIMEOUT_MS, waitForStopSignal } from '@gateway/service-host';

/** Runs a server until SIGTERM or SIGINT, then lets running calls finish. */
export async function runUntilStopped(server: {
  readonly drain: (timeoutMs: number) => Promise<void>;
}): Promise<void> {
  const logger = createLogger({ format: 'json', level: 'info' });
  logger.info({ signal: await waitForStopSignal() }, 'draining');
  await server.drain(DRAIN_TIMEOUT_MS);
}
