import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createGuardedFetch } from '@gateway/guarded-fetch';
import { serveRoutes } from '@gateway/mcp-http';
import { createPortal, readSettings, type PortalOptions } from '@gateway/portal-service';
import {
  createLogger,
  readSessionKey,
  waitForStopSignal,
  type CommandResult,
} from '@gateway/service-host';
import { createMemoryStore } from '@gateway/state-store';

/** The options of the command `serve`. */
export interface ServeOptions extends Omit<PortalOptions, 'webRoot' | 'key' | 'publicUrl'> {
  readonly host: string;
  readonly port: string;
  readonly publicUrl?: string;
}

const WEB_ROOT = fileURLToPath(new URL('web', import.meta.url));
const PROVIDER_BYTES = 1024 * 1024;
const PROVIDER_MS = 10_000;
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];

/** Serves until SIGTERM or SIGINT. */
export async function serve(
  options: ServeOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<CommandResult> {
  const { host, port } = options;
  const sessionKey = readSessionKey(environment, 'PORTAL_SESSION_KEY');
  if (!sessionKey.ok) return refuse(sessionKey.problem);
  const publicUrl = options.publicUrl ?? `http://${host}:${port}/`;
  const read = readSettings({ ...options, publicUrl, webRoot: WEB_ROOT, key: sessionKey.key });
  if (!read.ok) return refuse(read.problem);
  const logger = createLogger({ format: 'text', level: 'info' });
  const store = createMemoryStore();
  const portal = await createPortal({
    settings: read.settings,
    store,
    fetch: createGuardedFetch({
      allowPrivate: true,
      maxBytes: PROVIDER_BYTES,
      timeoutMs: PROVIDER_MS,
    }),
    now: Date.now,
    onFailure: (sentence) => {
      logger.warn(sentence);
    },
  });
  const serving = await serveRoutes({
    host,
    port: Number(port),
    routes: {},
    prefixes: { '/': portal.handle },
    methods: METHODS,
  });
  logger.info(`the portal serves ${read.settings.publicUrl.href}`);
  await waitForStopSignal();
  await serving.close();
  await portal.close();
  await store.close();
  return 'succeeded';
}

const refuse = (problem: string): CommandResult => {
  process.stderr.write(`portal: ${problem}\n`);
  return 'refused';
};
