import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  authSchema,
  type AuthSettings,
  type CallerAuth,
  createResourceServerAuth,
} from '@gateway/caller-auth';
import type { Logger } from 'pino';
import { parse } from 'yaml';

/** The tokens that the service accepts: from one issuer, or as a file configures them. */
export type AcceptedTokens =
  | { readonly kind: 'issuer'; readonly issuer: string; readonly audiences: readonly string[] }
  | { readonly kind: 'file'; readonly path: string };

/** The settings, or the reason why they are invalid. */
type SettingsOutcome =
  | { readonly ok: true; readonly settings: AuthSettings }
  | { readonly ok: false; readonly problem: string };

const MAX_FILE_BYTES = 256 * 1024;
/** Every valid token may call every operation: the cluster or the operator limits what an operation may do. */
const NO_SCOPES: readonly string[] = [];

const createReadFailure = (problem: string): SettingsOutcome => ({ ok: false, problem });

const validate = (value: unknown, source: string): SettingsOutcome => {
  const parsed = authSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.join('.') ?? '';
    return createReadFailure(
      `${source}: ${path === '' ? '' : `${path} `}${issue?.message ?? 'is not valid'}`,
    );
  }
  return parsed.data.mode === 'resource-server'
    ? { ok: true, settings: parsed.data }
    : createReadFailure(`${source}: mode must be resource-server`);
};

/** Adds the mode to a mapping. Leaves other values to the schema, which refuses them. */
const withMode = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? { mode: 'resource-server', ...value } : value;

const readDocument = async (path: string): Promise<SettingsOutcome> => {
  const source = `--oauth-config ${path}`;
  let text: string;
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES)
      return createReadFailure(`${source}: it has more than ${MAX_FILE_BYTES} bytes`);
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return createReadFailure(`${source}: it cannot be read (${code})`);
  }
  try {
    return validate(withMode(parse(text)), source);
  } catch {
    return createReadFailure(`${source}: it is not valid YAML`);
  }
};

/** Reads the settings for caller sign-in. */
export const readSignInSettings = (tokens: AcceptedTokens): Promise<SettingsOutcome> => {
  switch (tokens.kind) {
    case 'file':
      return readDocument(tokens.path);
    case 'issuer': {
      const { issuer, audiences } = tokens;
      const issuers = [{ issuer, audiences, scopes: NO_SCOPES }];
      return Promise.resolve(
        validate({ mode: 'resource-server', issuers }, `--oauth-issuer ${issuer}`),
      );
    }
  }
};

/** The accepted tokens and the address of the service. */
interface SignInOptions {
  readonly tokens: AcceptedTokens;
  /** URL under which clients reach the service. */
  readonly publicUrl: string;
  readonly logger: Logger;
}

/** The caller sign-in: `authenticate`, the scope challenge and the metadata routes. */
export type SignIn = Pick<CallerAuth, 'authenticate' | 'scopeChallenge' | 'routes' | 'close'>;

/** The sign-in, or the reason why it cannot be opened. */
type OpenSignInResult =
  { readonly ok: true; readonly signIn: SignIn } | { readonly ok: false; readonly problem: string };

/** Secret files are relative to the configuration file. */
const findSecretsFolder = (tokens: AcceptedTokens): string =>
  tokens.kind === 'file' ? dirname(tokens.path) : '.';

/** Opens caller sign-in with bearer tokens of trusted issuers. Sends no request yet. RFC 6750, RFC 9728 */
export const openSignIn = async ({
  tokens,
  publicUrl,
  logger,
}: SignInOptions): Promise<OpenSignInResult> => {
  const outcome = await readSignInSettings(tokens);
  if (!outcome.ok) return outcome;
  const folder = findSecretsFolder(tokens);
  try {
    const signIn = await createResourceServerAuth(outcome.settings, {
      publicUrl: new URL(publicUrl),
      resourceName: 'agent-manager',
      readSecret: async (file) => (await readFile(resolve(folder, file), 'utf8')).trim(),
      onUnavailable: (issuer, error) => {
        const reason = error instanceof Error ? error.message : 'unknown error';
        logger.warn({ issuer, reason }, 'the issuer does not answer');
      },
    });
    return { ok: true, signIn };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
};
