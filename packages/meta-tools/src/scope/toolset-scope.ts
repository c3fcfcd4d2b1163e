import type { CallContext, JsonObject } from '@gateway/call-contract';
import type { CatalogSnapshot, CatalogTool, ToolSelection } from '@gateway/catalog';
import type {
  MetaToolPorts,
  ToolsetRefusalReason,
  ToolsetRequest,
  ToolsetScope,
} from '../contract/meta-tool.ts';
import type { Refusal } from '../contract/result.ts';
import type { AnswerMemo } from './answer-memo.ts';
import {
  formatError as formatPresetError,
  type PresetSet,
  resolveToolset,
} from '@gateway/preset-resolver';
import {
  formatError,
  type ParsedToolset,
  parseToolset,
  parseToolsetHeader,
  type ToolsetError,
} from '@gateway/toolset-grammar';

/** The outcome of reading something a caller sent. */
export type Read<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

/** A value that was read. */
export const read = <T>(value: T): Read<T> => ({ ok: true, value });

/** A value that is refused. */
export const refuse = (refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } => ({
  ok: false,
  refusal,
});

/** Everything that one request works with: one snapshot and one set of presets from its first step to its last. */
export interface MetaToolContext {
  readonly ports: MetaToolPorts;
  readonly apiGroup: string;
  /** The most entries of a list without `limit`; 0: all. */
  readonly pageSize: number;
  /** The `_meta` that says which tool answered, by tool and server. */
  readonly originMetas: WeakMap<CatalogTool, Map<string, JsonObject>>;
  readonly snapshot: CatalogSnapshot;
  readonly presets: PresetSet;
  /** `undefined` without the header: unscoped. @spec §3 */
  readonly scope: ToolsetScope | undefined;
  readonly call: CallContext;
  /** The cached answers about unchanged catalogs. */
  readonly memo: AnswerMemo;
}

/** Returns the context of a request that runs no call: it has no caller and is never cancelled. */
export const createIdleContext = ({ principal, sessionId }: ToolsetRequest): CallContext => ({
  principal,
  sessionId,
  signal: new AbortController().signal,
});

/**
 * Returns the items whose server is inside the request's toolset, and those of no server; all of them without a toolset.
 *
 * @spec §4.2
 */
export const listToolsetItems = <T extends { readonly server?: string | undefined }>(
  items: readonly T[],
  { scope }: Pick<MetaToolContext, 'scope'>,
): readonly T[] => {
  if (scope === undefined) return items;
  // Also without items: the first use of a selection computes its servers, and its time must not depend on the items.
  const { servers } = scope.selection;
  return items.filter(({ server }) => server === undefined || servers.has(server));
};

/** The tools of the request's catalog in its order: the toolset's, or all without one. @spec §4.2 */
export const listVisibleTools = ({
  snapshot,
  scope,
}: Pick<MetaToolContext, 'snapshot' | 'scope'>): readonly CatalogTool[] =>
  scope === undefined ? snapshot.tools : scope.selection.tools;

/** Returns the `_meta` with the toolset of the request, if it has one, and the number of tools inside. */
export const createToolsetMeta = (
  context: Pick<MetaToolContext, 'apiGroup' | 'snapshot' | 'scope'>,
): JsonObject => ({
  [`${context.apiGroup}/toolset`]: {
    ...(context.scope !== undefined && { toolset: context.scope.toolset.text }),
    tools: listVisibleTools(context).length,
  },
});

/** How many headers are remembered, for each snapshot. */
const MAX_HEADERS = 256;

/** The longest header that is remembered, in UTF-16 code units. */
const MAX_HEADER_CHARACTERS = 8_192;

type ScopeContext = Pick<MetaToolContext, 'snapshot' | 'presets'>;

const REASONS: Readonly<Record<ToolsetError['code'], ToolsetRefusalReason>> = {
  'toolset.empty': 'empty',
  'toolset.too-many': 'too-many',
  'toolset.reserved': 'reserved',
  'toolset.label': 'label',
  'toolset.malformed': 'malformed',
};

const resolveScope = (
  parsed: ParsedToolset,
  { snapshot, presets }: ScopeContext,
  within?: ToolSelection,
): Read<ToolsetScope> => {
  if (!parsed.ok) {
    const reason = REASONS[parsed.error.code];
    return refuse({ code: 'toolset.refused', reason, text: formatError(parsed.error) });
  }
  const toolset = parsed.value;
  const resolution = resolveToolset({
    toolset,
    presets,
    catalog: snapshot,
    ...(within !== undefined && { within }),
  });
  if (!resolution.ok) {
    const text = formatPresetError(resolution.error);
    return refuse({ code: 'toolset.refused', reason: 'unknown-preset', text });
  }
  const { selection, unmatched } = resolution.value;
  return read({ toolset, selection, unmatched });
};

/** The catalog and the presets of a request, and the scope of its toolset or why that is refused. */
interface ScopedRequest extends ScopeContext {
  /** `undefined` without the header, for which nothing is built. */
  readonly scope: Read<ToolsetScope | undefined>;
}

/** The scopes of one snapshot by the line of the header. */
interface KnownScopes {
  readonly presets: PresetSet;
  readonly byLine: Map<string, ToolsetScope>;
}

/** Resolves toolset headers, which agents send again and again, against the catalog and the presets of the moment. @spec §3, §4.1, §7.1 */
export class ToolsetScopes {
  readonly #ports: Pick<MetaToolPorts, 'snapshot' | 'presets'>;
  readonly #known = new WeakMap<CatalogSnapshot, KnownScopes>();

  constructor(ports: Pick<MetaToolPorts, 'snapshot' | 'presets'>) {
    this.#ports = ports;
  }

  /** Returns the scope of a request. */
  resolve({ toolsetHeader, principal }: Omit<ToolsetRequest, 'sessionId'>): ScopedRequest {
    const snapshot = this.#ports.snapshot(principal);
    const presets = this.#ports.presets();
    const scope = this.#resolve(toolsetHeader, { snapshot, presets });
    return { snapshot, presets, scope };
  }

  #resolve(
    lines: readonly string[] | undefined,
    context: ScopeContext,
  ): Read<ToolsetScope | undefined> {
    if (lines === undefined) return read(undefined);
    const [line = ''] = lines;
    // Several lines, or a very long one, are rare enough to be read each time.
    if (lines.length !== 1 || line.length > MAX_HEADER_CHARACTERS)
      return resolveScope(parseToolsetHeader(lines), context);
    const { byLine } = this.#knownScopes(context);
    const known = byLine.get(line);
    if (known !== undefined) return read(known);
    const scope = resolveScope(parseToolsetHeader(lines), context);
    if (scope.ok) {
      const [oldest] = byLine.keys();
      if (byLine.size >= MAX_HEADERS && oldest !== undefined) byLine.delete(oldest);
      byLine.set(line, scope.value);
    }
    return scope;
  }

  #knownScopes({ snapshot, presets }: ScopeContext): KnownScopes {
    const known = this.#known.get(snapshot);
    if (known?.presets === presets) return known;
    const scopes = { presets, byLine: new Map<string, ToolsetScope>() };
    this.#known.set(snapshot, scopes);
    return scopes;
  }
}

/** Returns the selection of a `toolset` argument, inside the request's own scope when it has one. @spec §4.3 */
export const resolveArgumentScope = (
  selectors: readonly string[],
  context: MetaToolContext,
): Read<ToolsetScope> => resolveScope(parseToolset(selectors), context, context.scope?.selection);
