import type { ClientMetadata } from 'oidc-provider';
import type { TestUser } from '../browser/sign-in.ts';

/** A person whom a provider knows. */
export interface ProviderUser extends TestUser {
  /** The claim `sub`; the name by default. */
  readonly subject?: string;
  readonly email?: string;
  readonly groups?: readonly string[];
}

/** Options of `startProvider`. Everything has a default. */
export interface ProviderOptions {
  /** 0 for any free one. */
  readonly port?: number;
  /** Serves https with a certificate that this process trusts. */
  readonly tls?: boolean;
  /** The path of the issuer, such as `/tenant`. */
  readonly path?: string;
  /** The people. By default every name is accepted with the password `password`, and is a member of the group `staff`. */
  readonly users?: readonly ProviderUser[];
  readonly clients?: readonly ClientMetadata[];
  /** Accepts resource indicators (RFC 8707); by default all. */
  readonly isResource?: (resource: string) => boolean;
  /** Binds access tokens to resources (RFC 8707). By default true; otherwise tokens are opaque and for every resource. */
  readonly resourceIndicators?: boolean;
  /** Scopes besides `openid profile email groups offline_access`; by default `mcp mcp:read mcp:admin`. */
  readonly scopes?: readonly string[];
  /** Client IDs for which the scope `audience:server:client_id:<id>` adds an audience to ID tokens, as Dex does. */
  readonly audiences?: readonly string[];
  /** Access tokens for a resource are JWTs (RFC 9068) or opaque. By default JWTs. */
  readonly accessTokens?: 'jwt' | 'opaque';
  /** By default 300. It can be changed later: `settings`. */
  readonly accessTokenSeconds?: number;
  /** By default 300. It can be changed later: `settings`. */
  readonly idTokenSeconds?: number;
  /** When a client gets a refresh token. By default always. */
  readonly refreshTokens?: 'always' | 'offline_access' | 'never';
  /** Answers to refreshes contain ID tokens (OpenID Connect Core §12.2 leaves it to the provider). By default true. */
  readonly refreshedIdTokens?: boolean;
  /** Refresh tokens are for one use, and a second use revokes the family. By default true. */
  readonly rotates?: boolean;
  /** RFC 7591. By default true. */
  readonly registration?: boolean;
  /** Client ID Metadata Documents. By default true. They must be `https`; `documentHosts` says where those of the test are. */
  readonly clientDocuments?: boolean;
  /** The origins of client ID metadata documents and their addresses in the test. */
  readonly documentHosts?: Readonly<Record<string, string>>;
  /** Where the metadata is: RFC 8414, OpenID Connect Discovery, or both (the default). */
  readonly metadata?: 'oauth' | 'openid' | 'both';
  /** Fields that replace those of the metadata; `undefined` removes one. */
  readonly metadataFields?: Readonly<Record<string, unknown>>;
  /** Fields that replace claims of ID tokens, for hostile providers. */
  readonly idTokenClaims?: Readonly<Record<string, unknown>>;
  /** Issuers whose ID tokens the token exchange accepts besides its own. */
  readonly trustedIssuers?: readonly string[];
  /** Sends the parameter `iss` with authorization responses (RFC 9207). By default true. */
  readonly sendsIssuer?: boolean;
}

/** The settings that can be changed while a provider runs. */
export interface ProviderSettings {
  accessTokenSeconds: number;
  idTokenSeconds: number;
}
