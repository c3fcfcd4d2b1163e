import type { Risk } from '@gateway/client-config';

/** Arguments of `gateway servers search`. */
export interface SearchArguments {
  readonly words: readonly string[];
  /** Files and URLs. */
  readonly registry?: readonly string[];
  /** The directory whose `config.yaml` names registries. */
  readonly configDir?: string;
  readonly output: 'text' | 'json';
}

/** Arguments of `gateway servers install`. */
export interface InstallArguments {
  /** The name in the registry; absent when the registry has one server. */
  readonly name?: string;
  readonly configDir: string;
  /** Files and URLs. */
  readonly registry?: readonly string[];
  readonly version?: string;
  /** The name in the catalog. */
  readonly as?: string;
  /** The kind of package or remote. */
  readonly use?: string;
  /** Values by name. */
  readonly set?: ReadonlyMap<string, readonly string[]>;
  /** Files with values, by name. */
  readonly setFile?: ReadonlyMap<string, readonly string[]>;
  /** Risks that are accepted. */
  readonly allow?: readonly Risk[];
  /** Write a server that starts with the gateway. */
  readonly start?: true;
  readonly replace?: true;
  readonly write?: true;
}
