/**
 * One line about a server for the log, as data. It never carries header values, `env` values or arguments. What a child prints is another's text,
 * so `server.stderr` comes at level `debug` only.
 */
type ServerLogEvent = {
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
  | {
      readonly event: 'server.tool-changed';
      readonly tool: string;
      /** Names of the fields of the tool that changed. */
      readonly fields: readonly string[];
    }
  | { readonly event: 'server.tool-hint-widened'; readonly tool: string; readonly held: boolean }
  /** More tools changed than are told one by one; so many of them have a wider hint. */
  | {
      readonly event: 'server.tool-changes-omitted';
      readonly count: number;
      readonly widened: number;
    }
  | { readonly event: 'server.tools-accepted'; readonly tools: readonly string[] }
);

/** One line for the log about what is remembered of all servers, as data. */
type DeclaredToolsLogEvent =
  /** `kept`: it stays where it is, and nothing is written in its place. */
  | {
      readonly level: 'warn';
      readonly event: 'declared-tools.unreadable';
      readonly reason: string;
      readonly kept: boolean;
    }
  | { readonly level: 'warn'; readonly event: 'declared-tools.unsaved'; readonly reason: string }
  | { readonly level: 'info'; readonly event: 'declared-tools.saved' };

/** One line for the log, as data. */
export type DownstreamLogEvent = ServerLogEvent | DeclaredToolsLogEvent;

/** Takes log lines; must not throw. */
export type DownstreamLog = (event: DownstreamLogEvent) => void;
