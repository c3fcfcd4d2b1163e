/** The start of one server, as a gateway starts it. Durations are in milliseconds. */
export interface ServerProbe {
  readonly name: string;
  readonly outcome: 'started' | 'auth-required' | 'failed';
  readonly durationMs: number;
  /** Why the server did not start: one line without secrets. */
  readonly reason?: string;
  /** The command does not exist. */
  readonly isCommandMissing: boolean;
  /** A value that the definition names, such as an environment variable, does not exist or cannot be used. */
  readonly isValueMissing: boolean;
  readonly protocolVersion?: string;
  /** The name and the version that the server reports. */
  readonly serverName?: string;
  readonly serverVersion?: string;
  readonly toolsCount: number;
}
