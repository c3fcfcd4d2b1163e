/** Arguments of `gateway doctor`. */
export interface DoctorArguments {
  readonly configDir: string;
  readonly output: 'text' | 'json';
  /** Also starts the servers that do not start with the gateway. */
  readonly all?: boolean;
}
