/** The outcome of accepting tool declarations. */
export type AcceptOutcome =
  /** `tools`: the tools that had changes, sorted. `unsaved`: the acceptance lasts until the gateway restarts, because it was not written. */
  | { readonly kind: 'done'; readonly tools: readonly string[]; readonly unsaved?: true }
  /** The server does not exist. */
  | { readonly kind: 'unknown' }
  /** The server has no such tools. Nothing was accepted. */
  | { readonly kind: 'unknown-tools'; readonly tools: readonly string[] }
  | { readonly kind: 'failed'; readonly text: string };

/** An address that may be an MCP server. */
export interface DetectQuestion {
  readonly url: string;
  /** Sent with each request; never shown. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum duration of the detection, in milliseconds. */
  readonly timeoutMs: number;
}

/** The server at an address. `detail` is one line without secrets. */
export type DetectOutcome =
  | {
      readonly kind: 'found';
      readonly transport: 'streamable-http' | 'sse';
      readonly requiresAuth: boolean;
      readonly serverName?: string;
      readonly serverVersion?: string;
      readonly detail: string;
    }
  /** No server speaks the protocol at the address, or none answers. */
  | { readonly kind: 'none'; readonly detail: string }
  /** The address is not allowed. */
  | { readonly kind: 'refused'; readonly detail: string };

/** The outcome of writing a resource. */
export type WriteOutcome =
  /** The current state shows the write, and the listeners were called. */
  | { readonly kind: 'done' }
  /** A resource of this name exists; nothing was written. */
  | { readonly kind: 'exists' }
  /** No resource has this name; nothing was written. */
  | { readonly kind: 'missing' }
  /** Nothing changed. The text is one line without a full stop. */
  | { readonly kind: 'failed'; readonly text: string };

/** The outcome of writing a server. */
export type ServerWriteOutcome =
  | WriteOutcome
  /** The resulting definition breaks rules: one line for each, never none. Nothing was written. */
  | { readonly kind: 'invalid'; readonly issues: readonly string[] };

/** The change would decide where values of Secrets or ConfigMaps are sent. Nothing was written. */
export interface RestrictedWrite {
  readonly kind: 'restricted';
  /** The changed field of `spec`. */
  readonly field: string;
}

/** The outcome of a command about the configuration. */
export type ConfigurationOutcome =
  /** `restart`: the keys whose new values take effect after a restart of the gateway. */
  | { readonly kind: 'done'; readonly restart?: readonly string[] }
  /** The resulting configuration is not valid; one line per problem. The previous configuration stays in force. */
  | { readonly kind: 'invalid'; readonly issues: readonly string[] }
  | { readonly kind: 'failed'; readonly text: string };
