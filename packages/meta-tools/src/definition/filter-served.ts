import type { JsonObject } from '@gateway/call-contract';
import { compileGlob, pageOf } from '@gateway/catalog';
import { flag, optionalText } from '../arguments/argument-kinds.ts';
import { read, refuse, type ArgumentsOf, type Read } from '../arguments/argument.ts';
import { pageArguments } from './page-arguments.ts';
import type { RequestContext } from '../scope/request-context.ts';
import { insideToolset } from '../scope/server-membership.ts';

/** The arguments of `filter_resources` and `filter_prompts`. */
export const servedFilterArguments = {
  pattern: optionalText('Glob: * and ? do not cross /'),
  server: optionalText('Only of this server'),
  case_sensitive: flag('Match case in pattern', false),
  ...pageArguments,
} as const;

/** The names of one kind of entry in an answer, and how it is matched and shown. */
export interface ServedKind<T> {
  readonly list: 'resources' | 'prompts';
  readonly all: readonly T[];
  /** Returns the text that the pattern is matched against. */
  readonly addressOf: (item: T) => string;
  readonly entryOf: (item: T) => object;
}

/** Filters the entries of servers inside the toolset by pattern and server, and returns one page. @spec §1.1, §4.2 */
export const filterServed = <T extends { readonly server?: string | undefined }>(
  kind: ServedKind<T>,
  args: ArgumentsOf<typeof servedFilterArguments>,
  context: RequestContext,
): Read<JsonObject> => {
  const { pattern, server, case_sensitive: caseSensitive, limit, offset } = args;
  const glob = compileGlob(pattern ?? '*', { caseSensitive });
  if (!glob.ok) {
    const error = { code: 'filter.pattern-invalid', pattern: pattern ?? '*' } as const;
    return refuse({ code: 'filter.refused', error });
  }
  const visible = insideToolset(kind.all, context);
  const page = pageOf(
    visible.filter(
      (item) =>
        (server === undefined || item.server === server) && glob.matches(kind.addressOf(item)),
    ),
    { limit, offset },
  );
  return read({
    filters: {
      ...(pattern !== undefined && { pattern }),
      ...(server !== undefined && { server }),
      case_sensitive: caseSensitive,
      limit,
      offset,
    },
    [`total_${kind.list}`]: visible.length,
    filtered_count: page.items.length,
    total: page.total,
    truncated: page.truncated,
    [kind.list]: page.items.map(kind.entryOf),
  });
};
