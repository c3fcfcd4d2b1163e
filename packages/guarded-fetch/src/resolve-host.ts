/** One address of a host. */
export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves the addresses of a host; rejects when there are none, or when `signal` aborts. */
export type ResolveHost = (host: string, signal?: AbortSignal) => Promise<readonly HostAddress[]>;
