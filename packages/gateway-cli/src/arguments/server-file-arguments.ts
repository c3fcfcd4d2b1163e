/** Arguments of `gateway servers add` and `gateway servers edit`. */
export interface ServerFileArguments {
  readonly configDir: string;
  readonly url?: string;
  readonly type?: 'stdio' | 'streamable-http' | 'sse';
  readonly env?: ReadonlyMap<string, string>;
  readonly header?: ReadonlyMap<string, string>;
  readonly cwd?: string;
  readonly description?: string;
  /** `false` with `--no-start`. */
  readonly start: boolean;
}

/** Arguments of `gateway servers remove`. */
export interface RemoveArguments {
  readonly configDir: string;
  readonly deleteSecrets?: boolean;
}
