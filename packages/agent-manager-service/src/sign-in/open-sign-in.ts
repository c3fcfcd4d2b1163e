import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createResourceServerAuth, type CallerAuth } from '@gateway/caller-auth';
import type { Logger } from 'pino';
import { readSignInSettings, type AcceptedTokens } from './sign-in-settings.ts';

/** The accepted tokens and the address of the service. */
export interface SignInOptions {
  readonly tokens: AcceptedTokens;
  /** URL under which clients reach the service. */
  readonly publicUrl: string;
  readonly logger: Logger;
}

/** The sign-in of callers: `authenticate`, the challenge for scopes, and the routes of the metadata. */
export type SignIn = Pick<CallerAuth, 'authenticate' | 'scopeChallenge' | 'routes' | 'close'>;

/** The sign-in, or one line why it cannot be opened. */
export type OpenedSignIn =
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
