import type { CommandResult } from '@gateway/service-host';
import type { AuthStatusArguments } from '../arguments/auth-arguments.ts';
import type { CliIo } from '../cli-io.ts';
import { tableText } from '../output/table-text.ts';
import { writeValue } from '../output/write-value.ts';
import { SignInStore } from '../sign-in/sign-in-store.ts';
import { gatewayUrl } from './gateway-url.ts';

/** A sign-in as it is shown: nothing of it is secret. */
interface ShownSignIn {
  readonly url: string;
  readonly subject: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly issuer: string;
  /** Timestamp of the expiry of the access token; null when it is unknown. */
  readonly expires: string | null;
  /** The command line gets a new access token by itself. */
  readonly renews: boolean;
  readonly storage: string;
}

const find = async (store: SignInStore, url: string): Promise<readonly ShownSignIn[]> => {
  const found = await store.get(url);
  if (found === undefined) return [];
  const { signIn, storage } = found;
  return [
    {
      url,
      subject: signIn.subject ?? null,
      email: signIn.email ?? null,
      name: signIn.name ?? null,
      issuer: signIn.issuer,
      expires: signIn.expiresAt === undefined ? null : new Date(signIn.expiresAt).toISOString(),
      renews: signIn.refreshToken !== undefined,
      storage: storage === 'keyring' ? 'keyring' : store.file,
    },
  ];
};

const tableOf = (io: CliIo, shown: readonly ShownSignIn[]): string =>
  tableText(io, shown, [
    { title: 'URL', cell: ({ url }) => url },
    { title: 'PERSON', cell: ({ email, name, subject }) => email ?? name ?? subject ?? '' },
    { title: 'ISSUER', cell: ({ issuer }) => issuer },
    {
      title: 'EXPIRES',
      cell: ({ expires, renews }) => (renews ? 'renewed automatically' : (expires ?? 'unknown')),
    },
    { title: 'STORAGE', cell: ({ storage }) => storage },
  ]);

/** Shows all sign-ins, or the one to a gateway. The result is a failure when there is none to that gateway. */
export async function showSignIns(
  text: string | undefined,
  { output }: AuthStatusArguments,
  io: CliIo,
): Promise<CommandResult> {
  const store = new SignInStore(io.env);
  const urls = text === undefined ? await store.urls() : [gatewayUrl(text).href];
  const shown = (await Promise.all(urls.map((url) => find(store, url)))).flat();
  writeValue(io, output, shown, () =>
    shown.length === 0
      ? `not signed in${text === undefined ? '' : ` to ${urls.join()}`}\n`
      : tableOf(io, shown),
  );
  return text !== undefined && shown.length === 0 ? 'failed' : 'succeeded';
}
