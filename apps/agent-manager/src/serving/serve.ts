import {
  ENVIRONMENT,
  type AgentServiceOptions,
  openSignIn,
  type Service,
  type SignIn,
} from '@gateway/agent-manager-service';
import process from 'node:process';
import type { AgentStore } from '@gateway/agent-releases';
import {
  createLogger,
  DRAIN_TIMEOUT_MS,
  logInternalErrors,
  readSessionKey,
  formatStartFailure,
  waitForStopSignal,
  type CommandResult,
} from '@gateway/service-host';
import type { Logger } from 'pino';
import { startListening, type ListeningService } from './listening-service.ts';
import { openServices } from './open-services.ts';
import { openSkills } from './open-skills.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Serves until SIGTERM or SIGINT, then drains. */
export async function serve(
  options: AgentServiceOptions,
  environment: Environment,
): Promise<CommandResult> {
  const { logFormat: format, logLevel: level } = options;
  const sessionKey = readSessionKey(environment, ENVIRONMENT.sessionKey);
  if (!sessionKey.ok) return refuse(sessionKey.problem);
  const skills = openSkills(options, environment);
  if (!skills.ok) return refuse(skills.problem);
  const logger = createLogger({ format, level });
  const signIn = await openOptionalSignIn(options, logger);
  if (!signIn.ok) return refuse(signIn.problem);
  const opened = await openServices(options, logger, {
    ...(skills.skills !== undefined && { skills: skills.skills }),
    onError: logInternalErrors(logger),
  });
  if (!opened.ok) return refuse(opened.problem);
  const { services } = opened;
  try {
    const parts = { options, ...services, signIn: signIn.signIn };
    return await serveStore({ ...parts, sessionKey: sessionKey.key, logger });
  } finally {
    await signIn.signIn?.close();
    await services.store.close();
    logger.info('stopped');
  }
}

type OptionalSignIn =
  | { readonly ok: true; readonly signIn: SignIn | undefined }
  | { readonly ok: false; readonly problem: string };

async function openOptionalSignIn(
  { oauth }: AgentServiceOptions,
  logger: Logger,
): Promise<OptionalSignIn> {
  if (oauth === undefined) return { ok: true, signIn: undefined };
  const { issuers: tokens, publicUrl } = oauth;
  return openSignIn({ tokens, publicUrl, logger });
}

function refuse(problem: string): CommandResult {
  process.stderr.write(`agent-manager: ${problem}\n`);
  return 'refused';
}

interface ServeParts {
  readonly options: AgentServiceOptions;
  readonly resolveService: Service;
  readonly store: Pick<AgentStore, 'check' | 'watch'>;
  readonly signIn: SignIn | undefined;
  readonly sessionKey: Uint8Array | undefined;
  readonly logger: Logger;
}

async function serveStore({
  options,
  resolveService,
  store,
  signIn,
  sessionKey,
  logger,
}: ServeParts): Promise<CommandResult> {
  const { host, port, namespaces, allowedHosts, allowedOrigins } = options;
  const stopped = waitForStopSignal();
  let listening: ListeningService;
  try {
    listening = await startListening({
      resolveService,
      store,
      ...(signIn !== undefined && { signIn }),
      namespaces,
      address: { host, port },
      ...(allowedHosts !== undefined && { allowedHosts }),
      ...(allowedOrigins !== undefined && { allowedOrigins }),
      ...(sessionKey !== undefined && { sessionKey }),
      logger,
    });
  } catch (error) {
    logger.fatal(formatStartFailure(error, { host, port, portOption: '--port' }));
    return 'failed';
  }
  logger.info({ url: listening.url, namespaces }, 'listening');
  // A parent process with a message channel receives the address as a message.
  process.send?.({ listening: listening.url });
  logger.info({ signal: await stopped }, 'draining');
  await listening.drain(DRAIN_TIMEOUT_MS);
  return 'succeeded';
}
