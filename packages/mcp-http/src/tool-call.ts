import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { isJsonObject, RPC_CODE, type RpcError } from './json-rpc.ts';
import type { Progress } from './mcp-service.ts';
import { quoted } from './refusal.ts';

/** A `tools/call` request, checked. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
  /** Token under which the caller wants progress. */
  readonly progressToken: string | number | undefined;
  /** `_meta` without what belongs to the transport. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
}

const TRANSPORT_META_KEYS: ReadonlySet<string> = new Set([
  'progressToken',
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- clients still send it
  LOG_LEVEL_META_KEY,
]);

const invalid = (message: string): RpcError => ({ code: RPC_CODE.invalidParams, message });

/** Checks the parameters of `tools/call` against the tools that exist. */
export const parseToolCall = (
  params: unknown,
  hasTool: (name: string) => boolean,
):
  | { readonly ok: true; readonly call: ToolCall }
  | { readonly ok: false; readonly error: RpcError } => {
  if (!isJsonObject(params)) return { ok: false, error: invalid('params must be an object') };
  const { name, arguments: args, _meta: meta } = params;
  if (typeof name !== 'string') {
    return { ok: false, error: invalid('params.name must be a string') };
  }
  if (args !== undefined && !isJsonObject(args)) {
    return { ok: false, error: invalid('params.arguments must be an object') };
  }
  if (meta !== undefined && !isJsonObject(meta)) {
    return { ok: false, error: invalid('params._meta must be an object') };
  }
  if (!hasTool(name)) return { ok: false, error: invalid(`Unknown tool: ${quoted(name)}`) };
  return { ok: true, call: { name, arguments: args, ...splitMeta(meta) } };
};

const splitMeta = (
  meta: Readonly<Record<string, unknown>> | undefined,
): Pick<ToolCall, 'meta' | 'progressToken'> => {
  if (meta === undefined) return { meta: undefined, progressToken: undefined };
  const entries = Object.entries(meta).filter(([key]) => !TRANSPORT_META_KEYS.has(key));
  return {
    progressToken: progressTokenOf(meta),
    meta: entries.length === 0 ? undefined : Object.fromEntries(entries),
  };
};

const progressTokenOf = (meta: Readonly<Record<string, unknown>>): string | number | undefined => {
  const token = Object.hasOwn(meta, 'progressToken') ? meta['progressToken'] : undefined;
  return typeof token === 'string' || Number.isSafeInteger(token)
    ? (token as string | number)
    : undefined;
};

/** Parameters of `notifications/progress` for one report: all of it, under the caller's own token. */
export const progressParams = (
  progressToken: string | number,
  progress: Progress,
): Progress & { readonly progressToken: string | number } => ({ ...progress, progressToken });
