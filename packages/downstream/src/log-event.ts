/**
 * One line for the log, as data. It never carries header values, `env` values or arguments. What a child prints is another's text,
 * so `server.stderr` comes at level `debug` only.
 */
export type DownstreamLogEvent = {
  readonly level: 'debug' | 'info' | 'warn';
  readonly server: string;
} & (
  | {
      readonly event: 'server.state';
      readonly state: string;
      readonly reason?: string;
      readonly nextRetryMs?: number;
    }
  | { readonly event: 'server.stderr'; readonly line: string }
  | { readonly event: 'server.stderr-suppressed'; readonly lines: number }
  | { readonly event: 'server.output-ignored'; readonly reason: string }
  | { readonly event: 'server.list-refused'; readonly list: string; readonly reason: string }
  | { readonly event: 'server.entry-refused'; readonly list: string; readonly count: number }
  | { readonly event: 'server.transport-error'; readonly reason: string }
);

/** Takes log lines; must not throw. */
export type DownstreamLog = (event: DownstreamLogEvent) => void;
