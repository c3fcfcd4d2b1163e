/** Arguments of `gateway diagnose`. */
export interface DiagnoseArguments {
  readonly configDir: string;
  /** Enables the key `kubernetes` of `config.yaml`. */
  readonly kubernetes?: true;
  /** The endpoint of the running gateway; the address in `config.yaml` when absent. */
  readonly url?: string;
  readonly output: 'text' | 'json';
}
