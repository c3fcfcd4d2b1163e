import type { OutputFormat } from './client-arguments.ts';

/** Arguments of `gateway auth login`. */
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

/** Arguments of `gateway auth status`. */
export interface AuthStatusArguments {
  readonly output: OutputFormat;
}
