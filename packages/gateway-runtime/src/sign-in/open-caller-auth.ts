import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Principal } from '@gateway/call-contract';
import { createCallerAuth, type CallerAuth, type CallerSignInFact } from '@gateway/caller-auth';
import type { Downstream } from '@gateway/downstream';
import { listRequiredAudiences, START_PATH } from '@gateway/downstream-auth';
import { type Address, type GatewayConfig, isLoopbackHost } from '@gateway/gateway-config';
import type { Logger } from 'pino';
import type { StateStore } from '@gateway/state-store';
import type { SignInMetrics } from '../metrics/metrics.ts';

export interface CallerAuthOptions {
  readonly config: GatewayConfig;
  readonly address: Address;
  /** The configuration directory, to which relative paths refer. */
  readonly directory?: string;
  readonly stateStore?: StateStore;
  readonly logger: Logger;
}

/** The servers, and the receivers of facts and durations. */
export interface CallerAuthTargets {
  readonly servers: Downstream['servers'];
  readonly metrics: Pick<SignInMetrics, 'tokenVerified'>;
  readonly onCallerSignIn: (fact: CallerSignInFact) => void;
  /** Called when a user has another ID token. Must not reject. */
  readonly onIdToken: (principal: Principal) => Promise<void>;
}

/** Returns the sign-in of callers; `undefined` in mode `none`. Rejects with one sentence when the configuration cannot be used. */
export async function openCallerAuth(
  options: CallerAuthOptions,
  { servers, metrics, onCallerSignIn, onIdToken }: CallerAuthTargets,
): Promise<CallerAuth | undefined> {
  const { config, address, directory, logger, stateStore } = options;
  if (config.auth.mode === 'none') return undefined;
  const publicUrl = await findPublicUrl(config, address);
  if (publicUrl === undefined)
    throw new Error(
      `http.publicUrl is required for auth.mode: ${config.auth.mode}: set the URL at which clients reach the gateway`,
    );
  return createCallerAuth(config.auth, {
    publicUrl,
    readSecret: createSecretReader(directory),
    observe: onCallerSignIn,
    onVerified: metrics.tokenVerified,
    onIdToken,
    onUnavailable: (issuer, error) => {
      const reason = error instanceof Error ? error.message : 'no answer';
      logger.warn({ issuer }, `tokens cannot be verified: ${reason}`);
    },
    ...(stateStore !== undefined && {
      broker: {
        store: stateStore,
        requiredAudiences: () =>
          listRequiredAudiences(servers().map(({ definition }) => definition)),
        returnPath: START_PATH,
        onFailure: (line) => logger.warn(`sign-in: ${line}`),
      },
    }),
  });
}

/** Returns the URL at which clients reach the gateway; `undefined` when neither the configuration nor a loopback address determines it. */
async function findPublicUrl(
  { http }: Pick<GatewayConfig, 'http'>,
  { host, port }: Address,
): Promise<URL | undefined> {
  if (http.publicUrl !== undefined) return new URL(http.publicUrl);
  const isKnown = port !== 0 && (await isLoopbackHost(host));
  return isKnown ? new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`) : undefined;
}

const MAX_SECRET_CHARS = 8192;

/** Returns a function that reads a secret from a file, relative to the configuration directory. It rejects with one line without the secret. */
export function createSecretReader(directory = '.'): (file: string) => Promise<string> {
  return async (file) => {
    const text = await readFile(resolve(directory, file), 'utf8').catch((error: unknown) => {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
      throw new Error(`the secret file ${file} cannot be read (${code})`);
    });
    const secret = text.replace(/\r?\n$/, '');
    if (secret !== '' && secret.length <= MAX_SECRET_CHARS) return secret;
    throw new Error(
      `the secret file ${file} is empty or larger than ${MAX_SECRET_CHARS} characters`,
    );
  };
}
