/** Arguments of `gateway shell`. */
export interface ShellArguments {
  readonly url: string;
  readonly toolset?: string;
  readonly failFast?: boolean;
}
