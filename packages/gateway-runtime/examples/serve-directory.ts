import { openConfiguration } from '@gateway/gateway-config';
import { listenGateway, type ListeningGateway } from '@gateway/gateway-runtime';
import { createLogger } from '@gateway/service-host';

/** Serves a configuration directory over HTTP at a free port. Events and records are lost when the process ends. */
export async function serveDirectory(directory: string): Promise<ListeningGateway> {
  const opened = await openConfiguration(directory);
  if (!opened.ok) throw new Error(`${directory} has an invalid config.yaml`);
  return listenGateway({
    ...opened,
    address: { host: '127.0.0.1', port: 0 },
    coreToolWrites: 'all',
    expose: 'meta',
    logger: createLogger({ format: 'json', level: 'silent' }),
  });
}
