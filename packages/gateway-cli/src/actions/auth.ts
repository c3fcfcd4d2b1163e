import { type CommandResult, escapeToLine } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import { parseEndpoint } from '../endpoint.ts';
import { CommandFailure } from '../failure.ts';
import { type Column, writeRows, type OutputFormat } from '../output.ts';
import {
  discoverResource,
  discoverServer,
  type ProtectedResource,
  signInFailure,
} from '../sign-in/discovery.ts';
import { formatUser, SignInStore, type StoredSignIn } from '../sign-in/sign-in-store.ts';
import {
  openBrowser,
  type SignInRequest,
  signInWithBrowser,
  signInWithDevice,
} from '../sign-in/sign-in.ts';
import { findOwnClient, revokeSignIn } from '../sign-in/tokens.ts';

export interface LoginArguments {
  readonly device?: boolean;
  /** `false` with `--no-browser`. */
  readonly browser: boolean;
  readonly scope?: string;
  readonly issuer?: string;
  readonly clientId?: string;
  readonly clientMetadataUrl?: string;
  readonly timeout: number;
}

export interface AuthStatusArguments {
  readonly output: OutputFormat;
}

const CLIENT_SECRET_VARIABLE = 'GATEWAY_CLIENT_SECRET';

const findIssuer = ({ issuers }: ProtectedResource, wanted: string | undefined): string => {
  const issuer = wanted === undefined ? issuers[0] : issuers.find((known) => known === wanted);
  if (issuer !== undefined) return issuer;
  throw new CommandFailure(
    'refused',
    `--issuer: the gateway names only ${issuers.map(escapeToLine).join(', ')}`,
  );
};

const createRequest = async (
  resource: ProtectedResource,
  args: LoginArguments & { readonly issuer: string },
  io: CliIo,
): Promise<SignInRequest> => {
  const { issuer, clientId, clientMetadataUrl, scope } = args;
  const clientSecret = io.env[CLIENT_SECRET_VARIABLE];
  const server = await discoverServer(issuer);
  // A gateway that is the authorization server lets the user choose among them.
  const defaults = findOwnClient(server) !== undefined ? resource.supportedScopes : resource.scopes;
  return {
    server,
    resource: resource.resource,
    scopes: scope === undefined ? defaults : scope.split(' ').filter(Boolean),
    client: {
      ...(clientId !== undefined && { clientId }),
      ...(clientSecret !== undefined && clientSecret !== '' && { clientSecret }),
      ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    },
    signal: AbortSignal.any([io.getInterruptSignal(), AbortSignal.timeout(args.timeout * 1000)]),
  };
};

const signIn = (
  request: SignInRequest,
  args: LoginArguments,
  { stderr }: CliIo,
): Promise<StoredSignIn> =>
  args.device === true
    ? signInWithDevice(request, (url, code) => {
        stderr.write(
          `Open this URL on any device, and enter the code ${escapeToLine(code)}:\n${url.href}\n`,
        );
      })
    : signInWithBrowser(request, (url) => {
        stderr.write(`Open this URL to sign in:\n${url.href}\n`);
        if (args.browser) openBrowser(url);
      });

export async function runLogin(
  text: string,
  args: LoginArguments,
  io: CliIo,
): Promise<CommandResult> {
  const url = parseEndpoint(text, 'url');
  let issuer = url.origin;
  try {
    const resource = await discoverResource(url);
    if (resource === undefined) {
      io.stdout.write(`${url.href} does not require a sign-in\n`);
      return 'succeeded';
    }
    issuer = findIssuer(resource, args.issuer);
    const request = await createRequest(resource, { ...args, issuer }, io);
    const signedIn = await signIn(request, args, io);
    const store = new SignInStore(io.env);
    const storage = await store.exclusively(() => store.set(url.href, signedIn));
    const shown = formatUser(signedIn);
    const user = shown === undefined ? '' : ` as ${escapeToLine(shown)}`;
    const place = storage === 'keyring' ? 'the keyring' : store.file;
    io.stdout.write(`signed in to ${url.href}${user}; the tokens are in ${place}\n`);
    return 'succeeded';
  } catch (error) {
    throw signInFailure(issuer, error);
  }
}

export async function runLogout(text: string, { env, stdout }: CliIo): Promise<CommandResult> {
  const { href } = parseEndpoint(text, 'url');
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

const COLUMNS: readonly Column<ShownSignIn>[] = [
  { title: 'URL', cell: ({ url }) => url },
  { title: 'USER', cell: ({ email, name, subject }) => email ?? name ?? subject ?? '' },
  { title: 'ISSUER', cell: ({ issuer }) => issuer },
  {
    title: 'EXPIRES',
    cell: ({ expires, renews }) => (renews ? 'renewed automatically' : (expires ?? 'unknown')),
  },
  { title: 'STORAGE', cell: ({ storage }) => storage },
];

/** Shows all sign-ins, or the one to a gateway. The result is a failure when there is none to that gateway. */
export async function showSignIns(
  text: string | undefined,
  { output }: AuthStatusArguments,
  io: CliIo,
): Promise<CommandResult> {
  const store = new SignInStore(io.env);
  const urls = text === undefined ? await store.urls() : [parseEndpoint(text, 'url').href];
  const shown = (await Promise.all(urls.map((url) => find(store, url)))).flat();
  const empty = `not signed in${text === undefined ? '' : ` to ${urls.join()}`}\n`;
  writeRows(io, output, shown, { empty, columns: COLUMNS });
  return text !== undefined && shown.length === 0 ? 'failed' : 'succeeded';
}
