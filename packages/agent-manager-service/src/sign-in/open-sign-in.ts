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

/** The accepted tokens: those of one issuer, or as a file describes them. */
export type AcceptedTokens =
  | { readonly kind: 'issuer'; readonly issuer: string; readonly audiences: readonly string[] }
  | { readonly kind: 'file'; readonly path: string };

/** The settings, or one line why there are none. */
type ReadSettings =
  | { readonly ok: true; readonly settings: AuthSettings }
  | { readonly ok: false; readonly problem: string };

const MAX_FILE_BYTES = 256 * 1024;
/** Every valid token may call every operation: the cluster or the operator limits what an operation may do. */
const NO_SCOPES: readonly string[] = [];

const failed = (problem: string): ReadSettings => ({ ok: false, problem });

const validate = (value: unknown, source: string): ReadSettings => {
  const parsed = authSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.join('.') ?? '';
    return failed(`${source}: ${path === '' ? '' : `${path} `}${issue?.message ?? 'is not valid'}`);
  }
  return parsed.data.mode === 'resource-server'
    ? { ok: true, settings: parsed.data }
    : failed(`${source}: mode must be resource-server`);
};

/** `null` and other values reach the schema, which refuses them. */
const withMode = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? { mode: 'resource-server', ...value } : value;

const readDocument = async (path: string): Promise<ReadSettings> => {
  const source = `--oauth-config ${path}`;
  let text: string;
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) return failed(`${source}: it has more than ${MAX_FILE_BYTES} bytes`);
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return failed(`${source}: it cannot be read (${code})`);
  }
  try {
    return validate(withMode(parse(text)), source);
  } catch {
    return failed(`${source}: it is not valid YAML`);
  }
};

/** Returns the settings of the sign-in of callers. */
export const readSignInSettings = (tokens: AcceptedTokens): Promise<ReadSettings> => {
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

/** The sign-in of callers: `authenticate`, the challenge for scopes, and the routes of the metadata. */
export type SignIn = Pick<CallerAuth, 'authenticate' | 'scopeChallenge' | 'routes' | 'close'>;

/** The sign-in, or one line why it cannot be opened. */
type OpenedSignIn =
  { readonly ok: true; readonly signIn: SignIn } | { readonly ok: false; readonly problem: string };

/** Files with secrets are relative to the file that names them. */
const folderOf = (tokens: AcceptedTokens): string =>
  tokens.kind === 'file' ? dirname(tokens.path) : '.';

/** Opens the sign-in of callers: bearer tokens of trusted issuers. Sends no request yet. RFC 6750, RFC 9728 */
export const openSignIn = async ({
  tokens,
  publicUrl,
  logger,
}: SignInOptions): Promise<OpenedSignIn> => {
  const read = await readSignInSettings(tokens);
  if (!read.ok) return read;
  const folder = folderOf(tokens);
  try {
    const signIn = await createResourceServerAuth(read.settings, {
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
