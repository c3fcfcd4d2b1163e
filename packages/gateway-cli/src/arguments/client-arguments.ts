/** How a result is written. */
export type OutputFormat = 'text' | 'json';

/** What every command is given that talks to a running gateway. */
export interface ClientArguments {
  readonly url: string;
  readonly output: OutputFormat;
  readonly toolset?: string;
}

/** What a command is given that calls a tool. */
export interface CallArguments extends ClientArguments {
  readonly json?: string;
  readonly timeout: number;
}

/** What `gateway tools list` is given. */
export interface ListToolsArguments extends ClientArguments {
  readonly query?: string;
  readonly pattern?: string;
  readonly limit?: number;
}

/** What `gateway events` is given. */
export interface EventsArguments extends ClientArguments {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly type?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly follow?: boolean;
}
