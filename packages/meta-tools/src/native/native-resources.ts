import { type CallContext, RPC_CODE, type RpcError } from '@gateway/call-contract';
import { quoteText } from '@gateway/toolset-grammar';
import type { CatalogSnapshot } from '@gateway/catalog';
import type { PresetSet } from '@gateway/preset-resolver';
import type { ToolsetScope } from '../contract/meta-tool.ts';
import type { FindTool } from '../scope/absent-tools.ts';
import type { NativeOutcome, NativePorts } from './native-contract.ts';
import type { NativeIndex } from './native-index.ts';
import type { ResourceItem } from '../resources.ts';
import { listToolsetItems } from '../scope/toolset-scope.ts';
import { createToolsetError } from '../contract/result.ts';

/** The longest part of a name that an error repeats, in UTF-16 code units. */
const MAX_ECHO_CHARACTERS = 200;

const shortenEcho = (text: string): string =>
  text.length > MAX_ECHO_CHARACTERS ? `${text.slice(0, MAX_ECHO_CHARACTERS)}…` : text;

/** Returns the error of an unknown tool or prompt. */
export const createUnknownNameError = (kind: 'tool' | 'prompt', name: string): RpcError => ({
  code: RPC_CODE.invalidParams,
  message: `Unknown ${kind}: ${quoteText(shortenEcho(name))}`,
});

/** Returns the error of an unknown resource, by the caller's revision. */
const createUnknownResourceError = (uri: string, isModern: boolean): RpcError => ({
  // Revision 2026-07-28 has no code of its own for a missing resource.
  code: isModern ? RPC_CODE.invalidParams : RPC_CODE.resourceNotFound,
  message: `Resource not found: ${shortenEcho(uri)}`,
  data: { uri },
});

/** Returns the error of a failed request: the server's own error, or the gateway's. */
export const createRequestError = (
  { text, error }: { readonly text: string; readonly error?: RpcError },
  what: string,
): RpcError => error ?? { code: RPC_CODE.internal, message: `${what} failed: ${text}` };

/** Everything that one native call works with. */
export interface NativeContext {
  readonly ports: NativePorts;
  readonly snapshot: CatalogSnapshot;
  readonly index: NativeIndex;
  readonly presets: PresetSet;
  /** `undefined` without the header: unscoped. @spec §3 */
  readonly scope: ToolsetScope | undefined;
  readonly call: CallContext;
  /** Finds a tool of the last known lists by its native or exposed name. */
  readonly find: FindTool;
}

/** The entry that a caller requests, or the error of the request. */
export type Found<T> = NativeOutcome<{ readonly item: T }>;

/** Returns the failure with an error. */
export const refuse = (error: RpcError): { readonly ok: false; readonly error: RpcError } => ({
  ok: false,
  error,
});

const computeLiteralLength = (template: string): number => {
  const open = template.indexOf('{');
  return open === -1 ? template.length : open;
};

/**
 * Returns the first visible item. Under a toolset, an item that is not inside is refused as outside, known or not.
 *
 * @spec §4.2
 */
const findFirst = (
  [item]: readonly ResourceItem[],
  uri: string,
  { scope, ports, call }: NativeContext,
): Found<ResourceItem> => {
  if (item !== undefined) return { ok: true, item };
  if (scope === undefined)
    return refuse(createUnknownResourceError(uri, call.caller?.takesInputRequired === true));
  const toolset = scope.toolset.text;
  const refusal = { code: 'toolset.outside', kind: 'resource', name: uri, toolset } as const;
  return refuse(createToolsetError(refusal, ports));
};

type Narrowed = Pick<NativeContext, 'snapshot' | 'index' | 'scope'>;

/**
 * Returns the items of a URI inside the toolset, the best one first: of templates the one with the longest literal prefix, so that one that
 * matches everything is last. Items outside the toolset change neither the result nor the time, so that a caller does not learn of them.
 */
const listVisible = (uri: string, narrowed: Narrowed): readonly ResourceItem[] => {
  const listed = listToolsetItems(narrowed.index.resourcesOfUri(uri), narrowed);
  if (listed.length > 0) return listed;
  return narrowed.snapshot
    .resourceTemplatesOfUri(uri, narrowed.scope?.selection.servers)
    .toSorted((a, b) => computeLiteralLength(b.uriTemplate) - computeLiteralLength(a.uriTemplate));
};

/** The resource of a URI, or the template that it is made from. */
export const findNativeResource = (uri: string, context: NativeContext): Found<ResourceItem> =>
  findFirst(listVisible(uri, context), uri, context);

/** Returns whether a toolset selects the resource of a URI, or a template that it is made from. @spec §4.2 */
export const hasNativeResource = (uri: string, narrowed: Narrowed): boolean =>
  listVisible(uri, narrowed).length > 0;

/** Returns the server's own URI of an item. */
export const toServerUri = (item: ResourceItem, uri: string): string =>
  'serverUri' in item ? item.serverUri : uri;

/**
 * Returns the template with this text, otherwise the result of {@link findNativeResource}: completions are requested for both.
 */
export const findNativeTemplate = (text: string, context: NativeContext): Found<ResourceItem> => {
  const templates = listToolsetItems(context.snapshot.resourceTemplates, context).filter(
    ({ uriTemplate }) => uriTemplate === text,
  );
  return templates.length > 0
    ? findFirst(templates, text, context)
    : findNativeResource(text, context);
};
