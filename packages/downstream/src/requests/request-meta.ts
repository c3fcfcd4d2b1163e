import type { CallContext, Caller } from '@gateway/call-contract';
import { changeMembers, storeSourceText, findSourceText } from '@gateway/mcp-wire';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/client';

/** The log levels in ascending severity. RFC 5424 */
const LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

const ranks: ReadonlyMap<unknown, number> = new Map(LEVELS.map((level, rank) => [level, rank]));

/** Returns whether a level is at least as severe as the threshold; `false` for unknown levels. */
export const isSevereEnough = (level: unknown, threshold: string | undefined): boolean => {
  const least = ranks.get(threshold);
  const rank = ranks.get(level);
  return least !== undefined && rank !== undefined && rank >= least;
};

/** Returns whether `level` includes more messages than `than`, which includes none when it is `undefined`. */
export const isMoreVerbose = (level: string | undefined, than: string | undefined): boolean => {
  const rank = ranks.get(level);
  return rank !== undefined && rank < (ranks.get(than) ?? LEVELS.length);
};

/** The log level of one 2025 server. All callers of a connection share it. */
export class ServerLogLevel {
  readonly #set: (level: string) => Promise<unknown>;
  #current: string | undefined;
  #setting: Promise<void> | undefined;

  constructor(set: (level: string) => Promise<unknown>) {
    this.#set = set;
  }

  /** Raises the level of the server, which is never lowered. Resolves when the server has processed it; `undefined` when nothing changes. */
  raise(level: string | undefined): Promise<void> | undefined {
    if (level === undefined) return undefined;
    if (!isMoreVerbose(level, this.#current)) return this.#setting;
    this.#current = level;
    const done = this.#set(level).then(() => {
      if (this.#setting === done) this.#setting = undefined;
    });
    this.#setting = done;
    return done;
  }
}

/** The SDK's constant is deprecated together with the levels, which servers of 2026-07-28 still read. */
const LOG_LEVEL_META_KEY = 'io.modelcontextprotocol/logLevel';

type Meta = Readonly<Record<string, unknown>>;

/** `_meta` keys that describe one connection and not the request. */
const HOP_KEYS: ReadonlySet<string> = new Set([
  'progressToken',
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
]);

/** Returns the client description that every request of the 2026-07-28 revision carries. */
export const createModernEnvelope = (
  protocolVersion: string,
  clientInfo: { readonly name: string; readonly version: string },
): Meta => ({
  [PROTOCOL_VERSION_META_KEY]: protocolVersion,
  [CLIENT_INFO_META_KEY]: clientInfo,
  [CLIENT_CAPABILITIES_META_KEY]: {},
});

/** Returns the `_meta` that describes the caller to a 2026-07-28 server: its capabilities and its log level. */
export const toCallerMeta = (caller: Caller | undefined): Meta => {
  if (caller === undefined) return {};
  const { capabilities, logLevel } = caller;
  return {
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
    ...(ranks.has(logLevel) ? { [LOG_LEVEL_META_KEY]: logLevel } : {}),
  };
};

/** Returns a `_meta` with further members and without those of a connection. The others keep their text. */
const withMembers = (meta: Meta, own: Meta): Meta => {
  const kept = Object.entries(meta).filter(([key]) => !HOP_KEYS.has(key));
  const changed = { ...Object.fromEntries(kept), ...own };
  const text = findSourceText(meta);
  if (text === undefined) return changed;
  const add = Object.fromEntries(
    Object.entries(own).map(([key, value]) => [key, JSON.stringify(value)]),
  );
  return storeSourceText(
    changed,
    changeMembers(text, { remove: (name) => HOP_KEYS.has(name), add }),
  );
};

/** Returns the `_meta` of a call together with its trace; the same object when the call has no trace. */
const tracedMeta = (call: Pick<CallContext, 'meta' | 'trace'> | undefined): Meta | undefined => {
  const trace = call?.trace;
  if (trace === undefined) return call?.meta;
  return withMembers(call?.meta ?? {}, { ...trace });
};

/** Returns the `_meta` of the call without the keys of the caller's own connection, followed by those of this connection; `undefined` when empty. */
export const createOutgoingMeta = (
  call: Pick<CallContext, 'meta' | 'trace'> | undefined,
  own: Meta | undefined,
): Meta | undefined => {
  const passed = tracedMeta(call);
  if (passed === undefined) return own;
  const meta = withMembers(passed, { ...own });
  return Object.keys(meta).length === 0 ? undefined : meta;
};
