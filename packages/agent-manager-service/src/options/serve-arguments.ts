import type { LogFormat, LogLevel } from '@gateway/service-host';
import type { AcceptedTokens } from '../sign-in/open-sign-in.ts';

/** Names of the environment variables with secrets, which a command line would show. */
export const ENVIRONMENT = {
  /** The secret that replicas share to sign session ids. */
  sessionKey: 'AGENT_MANAGER_SESSION_KEY',
  /** The token for the host of the skill repositories. */
  skillsToken: 'AGENT_MANAGER_SKILLS_TOKEN',
} as const;

/** The arguments of `agent-manager serve`. */
export interface ServiceArguments {
  readonly host: string;
  readonly port: number;
  readonly store?: string;
  readonly kubernetes?: true;
  readonly kubeconfig?: string;
  /** The first is the default. */
  readonly namespaces: readonly [string, ...string[]];
  readonly chartUrl: string;
  readonly chartSemver: string;
  readonly helmreleaseInterval: string;
  readonly ocirepositoryInterval: string;
  readonly serviceAccountName?: string;
  readonly skillsRepositories?: readonly string[];
  readonly skillsApiUrl?: string;
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  readonly enableOauth?: true;
  readonly oauthIssuer?: string;
  readonly oauthAudiences?: readonly string[];
  readonly oauthConfig?: string;
  readonly publicUrl?: string;
  readonly downstreamOauth?: true;
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
}

/** The store of releases. */
export type ReleaseStoreKind =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'kubernetes'; readonly kubeconfig?: string };

/** Returns the chosen store, or the reason why the options choose none. */
export function resolveStore({
  store,
  kubernetes,
  kubeconfig,
}: Pick<ServiceArguments, 'store' | 'kubernetes' | 'kubeconfig'>):
  | { readonly ok: true; readonly store: ReleaseStoreKind }
  | { readonly ok: false; readonly problem: string } {
  if (kubernetes === true)
    return {
      ok: true,
      store: { kind: 'kubernetes', ...(kubeconfig !== undefined && { kubeconfig }) },
    };
  if (store === undefined)
    return {
      ok: false,
      problem: "one of the options '--store <dir>' and '--kubernetes' is needed",
    };
  if (kubeconfig !== undefined)
    return { ok: false, problem: "option '--kubeconfig <file>' needs the option '--kubernetes'" };
  return { ok: true, store: { kind: 'directory', path: store } };
}

/** The sign-in of callers. */
interface OauthOptions {
  readonly issuers: AcceptedTokens;
  /** Where clients reach the service. */
  readonly publicUrl: string;
  /** Requests to the cluster carry the token of the caller and no other credential. */
  readonly isDownstream: boolean;
}

/** The chosen sign-in (`undefined`: callers do not sign in), or the reason why the options choose none. */
type ChosenOauth =
  | { readonly ok: true; readonly oauth: OauthOptions | undefined }
  | { readonly ok: false; readonly problem: string };

const OAUTH_ONLY = [
  ['oauthIssuer', '--oauth-issuer <url>'],
  ['oauthAudiences', '--oauth-audiences <audiences>'],
  ['oauthConfig', '--oauth-config <file>'],
  ['publicUrl', '--public-url <url>'],
  ['downstreamOauth', '--downstream-oauth'],
] as const satisfies readonly (readonly [keyof ServiceArguments, string])[];

const findIssuers = ({
  oauthIssuer,
  oauthAudiences = [],
  oauthConfig,
}: ServiceArguments): AcceptedTokens | undefined => {
  if (oauthConfig !== undefined) return { kind: 'file', path: oauthConfig };
  return oauthIssuer === undefined
    ? undefined
    : { kind: 'issuer', issuer: oauthIssuer, audiences: oauthAudiences };
};

const createRefusal = (problem: string): ChosenOauth => ({ ok: false, problem });

/** Returns the sign-in that the options choose. */
export function resolveOauth(options: ServiceArguments): ChosenOauth {
  if (options.enableOauth === undefined) {
    const [, flags] = OAUTH_ONLY.find(([key]) => options[key] !== undefined) ?? [];
    return flags === undefined
      ? { ok: true, oauth: undefined }
      : createRefusal(`option '${flags}' needs the option '--enable-oauth'`);
  }
  const issuers = findIssuers(options);
  if (issuers === undefined)
    return createRefusal(
      "option '--enable-oauth' needs one of the options '--oauth-issuer <url>' and '--oauth-config <file>'",
    );
  const isDownstream = options.downstreamOauth === true;
  if (isDownstream && options.kubernetes !== true)
    return createRefusal("option '--downstream-oauth' needs the option '--kubernetes'");
  const { publicUrl = findServiceUrl(options) } = options;
  return publicUrl === undefined
    ? createRefusal(
        "option '--enable-oauth' needs the option '--public-url <url>' when the port is 0",
      )
    : { ok: true, oauth: { issuers, publicUrl, isDownstream } };
}

const findServiceUrl = ({ host, port }: ServiceArguments): string | undefined => {
  if (port === 0) return undefined;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port.toString()}`;
};

/** The arguments of `serve` with the chosen store. */
export interface AgentServiceOptions extends ServiceArguments {
  readonly releases: ReleaseStoreKind;
  /** Absent where callers do not sign in. */
  readonly oauth?: OauthOptions;
}
