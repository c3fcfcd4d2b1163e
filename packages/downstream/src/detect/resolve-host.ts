/** One address of a host. */
export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Finds the addresses of a host; rejects when there are none, or when `signal` says that nobody wants them any more. */
export type ResolveHost = (host: string, signal?: AbortSignal) => Promise<readonly HostAddress[]>;
