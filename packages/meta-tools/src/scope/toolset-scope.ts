import type { ToolSelection } from '@gateway/catalog';
import { resolveToolset, unknownPresetText } from '@gateway/preset-resolver';
import {
  parseToolset,
  toolsetErrorText,
  type ParsedToolset,
  type ToolsetError,
} from '@gateway/toolset-grammar';
import { read, refuse, type Read } from '../arguments/argument.ts';
import type { ToolsetRefusalReason } from '../contract/ports.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestScope } from '../contract/request-scope.ts';
import type { ToolsetHeaders } from './toolset-headers.ts';

type ScopeContext = Pick<RequestContext, 'snapshot' | 'presets'>;

const REASONS: Readonly<Record<ToolsetError['code'], ToolsetRefusalReason>> = {
  'toolset.empty': 'empty',
  'toolset.too-many': 'too-many',
  'toolset.reserved': 'reserved',
  'toolset.label': 'label',
  'toolset.malformed': 'malformed',
};

const resolved = (
  parsed: ParsedToolset,
  { snapshot, presets }: ScopeContext,
  within?: ToolSelection,
): Read<RequestScope> => {
  if (!parsed.ok) {
    const reason = REASONS[parsed.error.code];
    return refuse({ code: 'toolset.refused', reason, text: toolsetErrorText(parsed.error) });
  }
  const { toolset } = parsed;
  const resolution = resolveToolset({
    toolset,
    presets,
    catalog: snapshot,
    ...(within !== undefined && { within }),
  });
  if (!resolution.ok) {
    const text = unknownPresetText(resolution.error);
    return refuse({ code: 'toolset.refused', reason: 'unknown-preset', text });
  }
  const { selection, unmatched } = resolution;
  return read({ toolset, selection, unmatched });
};

/**
 * The scope of a request; none without the header, for which nothing is built.
 *
 * @param header the values of the header's lines
 * @spec §3, §4.1, §7.1
 */
export const headerScope = (
  header: readonly string[] | undefined,
  context: ScopeContext & { readonly headers: ToolsetHeaders },
): Read<RequestScope | undefined> => {
  if (header === undefined) return read(undefined);
  const { headers } = context;
  const known = headers.recall(header, context);
  if (known !== undefined) return read(known);
  const scope = resolved(headers.parse(header), context);
  if (scope.ok) headers.keep(header, context, scope.value);
  return scope;
};

/** Returns the selection of a `toolset` argument, inside the request's own scope when it has one. @spec §4.3 */
export const argumentScope = (
  selectors: readonly string[],
  context: RequestContext,
): Read<RequestScope> => resolved(parseToolset(selectors), context, context.scope?.selection);
