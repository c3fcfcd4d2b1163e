import process from 'node:process';
import {
  createLogger,
  readSessionKey,
  formatStartFailure,
  waitForStopSignal,
  type CommandResult,
} from '@gateway/service-host';
import { resolveHealthAddress, openConfiguration, PORT_OPTION } from '@gateway/gateway-config';
import type { ServeArguments } from '@gateway/gateway-cli';
import {
  createYamlParser,
  joinReplicas,
  listenGateway,
  type ListeningGateway,
  type ListeningGatewayOptions,
  openSessionKey,
  type SessionKeyLocation,
  openState,
  resolveCoreToolWrites,
} from '@gateway/gateway-runtime';
import { validateAddresses, type GatewayAddresses } from './address-problem.ts';
import { openStateStore, type Opened, type OpenedStore } from './open-state-store.ts';
import type { PortalParts, RunningPortal, StartPortal } from './start-portal.ts';

/** The environment variable with the secret that replicas share. */
const SESSION_KEY_VARIABLE = 'GATEWAY_SESSION_KEY';

/** The environment variable that enables the key `kubernetes`. */
const KUBERNETES_VARIABLE = 'GATEWAY_KUBERNETES';

/** The environment variable that enables `http.legacySse`. */
const LEGACY_SSE_VARIABLE = 'GATEWAY_LEGACY_SSE';

/** Runs `gateway serve`: serves until SIGTERM or SIGINT, then drains. */
export async function serve(options: ServeArguments): Promise<CommandResult> {
  const { logFormat: format, logLevel: level } = options;
  const logger = createLogger({ format, level });
  const sessionKey = readSessionKey(process.env, SESSION_KEY_VARIABLE);
  if (!sessionKey.ok) {
    process.stderr.write(`${sessionKey.problem}\n`);
    return 'refused';
  }
  setVariables(options);
  const opened = await openConfiguration(options.configDir, {
    parseElsewhere: createYamlParser(),
    onWarning: (line) => {
      logger.warn(line);
    },
  });
  if (!opened.ok) return 'refused';
  const startPortal = await loadPortal(options, opened, logger);
  if (startPortal === 'refused') return 'refused';
  if (!(await canListen(options, opened, logger))) return 'failed';
  const stored = await openStateStore(opened, logger);
  if (stored === undefined) return 'refused';
  const { store: stateStore } = stored;
  const parts = await createGatewayOptions(options, { ...opened, stateStore, logger });
  const served = {
    ...parts,
    startPortal,
    ...(await resolveSessionKeys(stored, sessionKey.key, parts)),
  };
  try {
    return await listenUntilStopped({ ...served, ...(stored.shared && joinReplicas(stateStore)) });
  } finally {
    await stateStore.close();
  }
}

/** Sets the environment variables of the options. */
function setVariables({ kubernetes, legacySse }: ServeArguments): void {
  if (kubernetes === true) process.env[KUBERNETES_VARIABLE] = 'true';
  if (legacySse === true) process.env[LEGACY_SSE_VARIABLE] = 'true';
}

/** Returns the addresses at which a gateway listens. */
function listAddresses(
  options: Omit<ServeArguments, 'expose'>,
  { config }: Pick<Opened, 'config'>,
): GatewayAddresses {
  const { host = config.http.host, port = config.http.port, portal } = options;
  return {
    address: { host, port },
    health: resolveHealthAddress(config, { ...options, host }),
    portal,
  };
}

/** Returns whether all addresses are free. Otherwise logs the problem, and closes the configuration. */
async function canListen(
  options: ServeArguments,
  opened: Opened,
  logger: ListeningGatewayOptions['logger'],
): Promise<boolean> {
  const problem = await validateAddresses(listAddresses(options, opened));
  if (problem === undefined) return true;
  logger.fatal(problem);
  await opened.store.close();
  logger.info('stopped');
  return false;
}

/** Loads the function that starts the portal; undefined when the portal is not enabled. */
async function loadPortal(
  options: ServeArguments,
  { config, store }: Opened,
  logger: ListeningGatewayOptions['logger'],
): Promise<StartPortal | 'refused' | undefined> {
  if (options.portal === undefined) return undefined;
  const { validateLocalPortal, startPortal } = await import('./start-portal.ts');
  const problem = validateLocalPortal(config.auth.mode);
  if (problem === undefined) return (url) => startPortal(options, url, logger);
  process.stderr.write(`${problem}\n`);
  await store.close();
  return 'refused';
}

/** Returns the options of the gateway without its session keys. */
async function createGatewayOptions(
  { expose, ...options }: ServeArguments,
  opened: Opened & Pick<ListeningGatewayOptions, 'stateStore' | 'logger'>,
): Promise<ListeningGatewayOptions & { readonly sessionKeyPlace: SessionKeyLocation }> {
  const { config, stateDirectory, logger } = opened;
  const { address, health } = listAddresses(options, opened);
  const coreToolWrites = await resolveCoreToolWrites({
    config,
    option: options.coreToolWrites,
    address,
    logger,
  });
  const state = await openState(stateDirectory, logger);
  const sessionKeyPlace = { directory: stateDirectory, isLocked: state !== undefined };
  return { ...opened, state, address, health, coreToolWrites, expose, sessionKeyPlace };
}

/** Returns the session keys: the configured key, the keys in the shared state, or the key in the state directory. */
async function resolveSessionKeys(
  { shared }: OpenedStore,
  configuredKey: Uint8Array | undefined,
  {
    sessionKeyPlace,
    logger,
  }: Pick<ListeningGatewayOptions, 'logger'> & { readonly sessionKeyPlace: SessionKeyLocation },
): Promise<Pick<ListeningGatewayOptions, 'sessionKey' | 'previousSessionKey'>> {
  if (configuredKey === undefined && shared !== undefined) return shared;
  const key = configuredKey ?? (await openSessionKey(sessionKeyPlace, logger));
  return key === undefined ? {} : { sessionKey: key };
}

async function listenUntilStopped({
  startPortal,
  ...parts
}: ListeningGatewayOptions & PortalParts): Promise<CommandResult> {
  const { logger } = parts;
  const stopped = waitForStopSignal();
  let gateway: ListeningGateway | undefined;
  let portal: RunningPortal | undefined;
  try {
    gateway = await listenGateway(parts);
    const { url, healthUrl: health } = gateway;
    portal = await startPortal?.(url);
    logger.info({ url, health }, 'listening');
    // A parent process with a message channel receives the address without reading the log.
    process.send?.({ listening: url });
    logger.info({ signal: await stopped }, 'draining');
    await Promise.all([portal?.stop(), gateway.drain()]);
    return 'succeeded';
  } catch (error) {
    logger.fatal(formatStartFailure(error, { ...parts.address, portOption: PORT_OPTION }));
    return 'failed';
  } finally {
    await Promise.all([portal?.stop(), gateway?.close()]);
    logger.info('stopped');
  }
}
