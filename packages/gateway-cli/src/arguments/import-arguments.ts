import type { Risk } from '@gateway/client-config';

/** Arguments of `gateway import`. */
export interface ImportArguments {
  /** A client, a file, or `-` for standard input; absent for a list of what can be imported. */
  readonly source?: string;
  readonly configDir: string;
  /** The directory of the project whose servers are imported too. */
  readonly project?: string;
  /** Names in the source; all servers when absent. */
  readonly only?: readonly string[];
  /** New names by the names in the source. */
  readonly rename?: ReadonlyMap<string, string>;
  /** Risks that are accepted. */
  readonly allow?: readonly Risk[];
  /** Write servers that start with the gateway. */
  readonly start?: true;
  /** Change servers and secrets that the directory has already. */
  readonly replace?: true;
  readonly write?: true;
}
