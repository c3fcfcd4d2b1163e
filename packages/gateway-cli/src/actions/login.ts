import { escapeToLine, type CommandResult } from '@gateway/service-host';
import type { LoginArguments } from '../arguments/auth-arguments.ts';
import type { CliIo } from '../cli-io.ts';
import { CommandFailure } from '../failure.ts';
import { discoverServer } from '../sign-in/authorization-server.ts';
import { signInWithBrowser, type SignInRequest } from '../sign-in/browser-sign-in.ts';
import { signInWithDevice } from '../sign-in/device-sign-in.ts';
import { discoverResource, type GatewayResource } from '../sign-in/gateway-resource.ts';
import { openBrowser } from '../sign-in/open-browser.ts';
import { signInFailure } from '../sign-in/sign-in-failure.ts';
import { SignInStore } from '../sign-in/sign-in-store.ts';
import { shownPerson, type StoredSignIn } from '../sign-in/stored-sign-in.ts';
import { gatewayUrl } from './gateway-url.ts';

const CLIENT_SECRET_VARIABLE = 'GATEWAY_CLIENT_SECRET';

const issuerOf = ({ issuers }: GatewayResource, wanted: string | undefined): string => {
  const issuer = wanted === undefined ? issuers[0] : issuers.find((known) => known === wanted);
  if (issuer !== undefined) return issuer;
  throw new CommandFailure(
    'refused',
    `--issuer: the gateway names only ${issuers.map(escapeToLine).join(', ')}`,
  );
};

const createRequest = async (
  resource: GatewayResource,
  args: LoginArguments & { readonly issuer: string },
  io: CliIo,
): Promise<SignInRequest> => {
  const { issuer, clientId, clientMetadataUrl, scope } = args;
  const clientSecret = io.env[CLIENT_SECRET_VARIABLE];
  return {
    server: await discoverServer(issuer),
    resource: resource.resource,
    scopes: scope === undefined ? resource.scopes : scope.split(' ').filter(Boolean),
    client: {
      ...(clientId !== undefined && { clientId }),
      ...(clientSecret !== undefined && clientSecret !== '' && { clientSecret }),
      ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    },
    signal: AbortSignal.any([io.interrupted(), AbortSignal.timeout(args.timeout * 1000)]),
  };
};

const signIn = (
  request: SignInRequest,
  args: LoginArguments,
  { stderr }: CliIo,
): Promise<StoredSignIn> =>
  args.device === true
    ? signInWithDevice(request, ({ url, code }) => {
        stderr.write(
          `Open this URL on any device, and enter the code ${escapeToLine(code)}:\n${url.href}\n`,
        );
      })
    : signInWithBrowser(request, (url) => {
        stderr.write(`Open this URL to sign in:\n${url.href}\n`);
        if (args.browser) openBrowser(url);
      });

/** Signs in to a gateway and stores the tokens. */
export async function login(text: string, args: LoginArguments, io: CliIo): Promise<CommandResult> {
  const url = gatewayUrl(text);
  let issuer = url.origin;
  try {
    const resource = await discoverResource(url);
    if (resource === undefined) {
      io.stdout.write(`${url.href} does not require a sign-in\n`);
      return 'succeeded';
    }
    issuer = issuerOf(resource, args.issuer);
    const request = await createRequest(resource, { ...args, issuer }, io);
    const signedIn = await signIn(request, args, io);
    const store = new SignInStore(io.env);
    const storage = await store.exclusively(() => store.set(url.href, signedIn));
    const shown = shownPerson(signedIn);
    const person = shown === undefined ? '' : ` as ${escapeToLine(shown)}`;
    const place = storage === 'keyring' ? 'the keyring' : store.file;
    io.stdout.write(`signed in to ${url.href}${person}; the tokens are in ${place}\n`);
    return 'succeeded';
  } catch (error) {
    throw signInFailure(issuer, error);
  }
}
