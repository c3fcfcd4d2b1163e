import type { CommandResult } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import { revokeSignIn } from '../sign-in/revoke-sign-in.ts';
import { SignInStore } from '../sign-in/sign-in-store.ts';
import { gatewayUrl } from './gateway-url.ts';

/** Revokes and deletes the tokens of a gateway. */
export async function logout(text: string, { env, stdout }: CliIo): Promise<CommandResult> {
  const { href } = gatewayUrl(text);
  const store = new SignInStore(env);
  return store.exclusively<CommandResult>(async () => {
    const found = await store.get(href);
    await store.delete(href);
    if (found === undefined) {
      stdout.write(`not signed in to ${href}\n`);
      return 'succeeded';
    }
    const isRevoked = await revokeSignIn(found.signIn);
    const rest = isRevoked ? '' : '; the tokens were deleted here and not revoked at the issuer';
    stdout.write(`signed out of ${href}${rest}\n`);
    return 'succeeded';
  });
}
