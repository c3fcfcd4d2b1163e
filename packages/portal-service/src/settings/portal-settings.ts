/** How persons sign in: at an OpenID provider, or at the authorization server of the gateway. */
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
  /** Absent where persons do not sign in. */
  readonly signIn?: SignInSettings;
  /** The domain of the platform's labels, such as `example.com`; any domain when absent. */
  readonly labelDomain?: string;
  /** The directory of the built web application. */
  readonly webRoot: string;
  /** The key that signs the tokens against forged requests: 32 bytes, equal in all replicas. */
  readonly key: Uint8Array;
}
