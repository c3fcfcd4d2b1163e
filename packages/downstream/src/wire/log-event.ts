interface OfProcess {
  readonly pid?: number;
}

/** Never contains header values, `env` values or arguments. The output of a child may contain them, so `server.stderr` has level `debug` only. */
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
  | ({ readonly event: 'server.stderr'; readonly line: string } & OfProcess)
  | ({ readonly event: 'server.stderr-suppressed'; readonly lines: number } & OfProcess)
  | ({ readonly event: 'server.output-ignored'; readonly reason: string } & OfProcess)
  | { readonly event: 'server.list-refused'; readonly list: string; readonly reason: string }
  /** `reason` names the first entries that are left out. */
  | {
      readonly event: 'server.entry-refused';
      readonly list: string;
      readonly count: number;
      readonly reason: string;
    }
  | { readonly event: 'server.transport-error'; readonly reason: string }
  | { readonly event: 'server.session-ended'; readonly reason: string }
  | {
      readonly event: 'server.tool-changed';
      readonly tool: string;
      readonly fields: readonly string[];
    }
  | { readonly event: 'server.tool-hint-widened'; readonly tool: string; readonly held: boolean }
  /** Changes beyond the rate limit; `widened` of them have a wider hint. */
  | {
      readonly event: 'server.tool-changes-omitted';
      readonly count: number;
      readonly widened: number;
    }
  | { readonly event: 'server.tools-accepted'; readonly tools: readonly string[] }
);

type DeclaredToolsLogEvent =
  /** `kept`: the stored text is preserved and will not be overwritten. */
  | {
      readonly level: 'warn';
      readonly event: 'declared-tools.unreadable';
      readonly reason: string;
      readonly kept: boolean;
    }
  | { readonly level: 'warn'; readonly event: 'declared-tools.unsaved'; readonly reason: string }
  | { readonly level: 'info'; readonly event: 'declared-tools.saved' };

export type DownstreamLogEvent = ServerLogEvent | DeclaredToolsLogEvent;

/** Receives log entries; must not throw. */
export type DownstreamLog = (event: DownstreamLogEvent) => void;
