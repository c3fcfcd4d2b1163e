import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** How users sign in: at an OpenID provider, or at the authorization server of the gateway. */
export interface SignInSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Returns the client secret; undefined for a public client. */
  readonly clientSecret: () => Promise<string | undefined>;
  readonly scopes: readonly string[];
  /** The resource that access tokens are for (RFC 8707): the URL of the gateway's endpoint at its authorization server. */
  readonly resource?: string;
  /** The token that authorizes requests to the gateway and to agent-manager. */
  readonly token: 'access_token' | 'id_token';
}

/** The settings of the backend. */
export interface PortalSettings {
  /** The URL at which browsers reach the portal, with its path prefix and a slash at its end. */
  readonly publicUrl: URL;
  /** Further host names that requests may name, for proxies that replace the header `Host`. */
  readonly allowedHosts: readonly string[];
  /** The MCP endpoint of the gateway. */
  readonly gatewayUrl: URL;
  /** The URL in front of `/api/v1` of agent-manager; absent where there is none. */
  readonly agentManagerUrl?: URL;
  /** The metrics of the gateway; absent where they cannot be read. */
  readonly metricsUrl?: URL;
  /** Absent where users do not sign in. */
  readonly signIn?: SignInSettings;
  /** The domain of the platform's labels, such as `example.com`; any domain when absent. */
  readonly labelDomain?: string;
  /** The directory of the built web application. */
  readonly webRoot: string;
  /** The key that signs the tokens against forged requests: 32 bytes, equal in all replicas. */
  readonly key: Uint8Array;
}

/** The options of the command line that settings are read from. Texts are unchecked. */
export interface PortalOptions {
  readonly publicUrl: string;
  /** Separated by commas. */
  readonly allowedHosts?: string;
  readonly gateway: string;
  readonly agentManager?: string;
  readonly metrics?: string;
  readonly labelDomain?: string;
  readonly webRoot: string;
  /** The key that replicas share; random when absent, which serves one replica. */
  readonly key: Uint8Array | undefined;
  readonly issuer?: string;
  readonly clientId?: string;
  readonly clientSecretFile?: string;
  readonly scopes: string;
  readonly resource?: string;
  readonly token: SignInSettings['token'];
}

/** The settings, or one sentence that names the option that is wrong. */
type ReadSettings =
  | { readonly ok: true; readonly settings: PortalSettings }
  | { readonly ok: false; readonly problem: string };

const KEY_BYTES = 32;

class OptionError extends Error {}

const parseUrl = (option: string, text: string): URL => {
  const isHttp = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isHttp)
    throw new OptionError(`${option} is not an http or https URL: ${JSON.stringify(text)}`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new OptionError(`${option} must not contain a user or a password`);
  return url;
};

const parseOptionalUrl = <Name extends string>(
  name: Name,
  option: string,
  text: string | undefined,
): { readonly [Key in Name]?: URL } =>
  (text === undefined ? {} : { [name]: parseUrl(option, text) }) as {
    readonly [Key in Name]?: URL;
  };

/** The names of this machine, to which connections are not seen by others. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** With http everyone on the way reads the session cookie. */
const parsePublicUrl = ({ publicUrl, issuer }: PortalOptions): URL => {
  const url = withSlash(parseUrl('--public-url', publicUrl));
  if (issuer !== undefined && url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new OptionError(
      `--public-url must begin with https:// where users sign in (--issuer): ${JSON.stringify(publicUrl)}; http is for loopback addresses`,
    );
  return url;
};

const withSlash = (url: URL): URL => {
  const base = new URL(url);
  base.search = '';
  base.hash = '';
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return base;
};

const splitList = (text: string): readonly string[] =>
  text.split(/[ ,]+/).filter((item) => item !== '');

const createSecretReader =
  (file: string | undefined): SignInSettings['clientSecret'] =>
  async () =>
    file === undefined ? undefined : (await readFile(file, 'utf8')).trim();

const readSignIn = (options: PortalOptions): Pick<PortalSettings, 'signIn'> => {
  const { issuer, clientId, clientSecretFile, scopes, resource, token } = options;
  if (issuer === undefined) return {};
  if (clientId === undefined) throw new OptionError('--issuer needs --client-id');
  return {
    signIn: {
      issuer: parseUrl('--issuer', issuer).href,
      clientId,
      clientSecret: createSecretReader(clientSecretFile),
      scopes: splitList(scopes),
      ...(resource !== undefined && { resource }),
      token,
    },
  };
};

/** Reads the settings from the options of the command line. */
export const readSettings = (options: PortalOptions): ReadSettings => {
  try {
    const { labelDomain, webRoot } = options;
    return {
      ok: true,
      settings: {
        publicUrl: parsePublicUrl(options),
        allowedHosts: splitList(options.allowedHosts ?? ''),
        gatewayUrl: parseUrl('--gateway', options.gateway),
        ...parseOptionalUrl('agentManagerUrl', '--agent-manager', options.agentManager),
        ...parseOptionalUrl('metricsUrl', '--metrics', options.metrics),
        ...readSignIn(options),
        ...(labelDomain !== undefined && { labelDomain }),
        webRoot,
        key: options.key ?? randomBytes(KEY_BYTES),
      },
    };
  } catch (error) {
    if (error instanceof OptionError) return { ok: false, problem: error.message };
    throw error;
  }
};
