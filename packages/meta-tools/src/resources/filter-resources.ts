import { defineMetaTool, READS_CATALOG } from '../definition/define-meta-tool.ts';
import { filterResultSchema } from '../definition/filter-result-schema.ts';
import { filterServed, servedFilterArguments } from '../definition/filter-served.ts';
import { jsonResult, refusalResult } from '../contract/result.ts';
import {
  addressOf,
  resourceEntry,
  resourceEntrySchema,
  type ListedItem,
} from './resource-entry.ts';

/** Filters resources and templates by URI and server, a page at a time. @spec §1.1, §4.2 */
export const filterResources = defineMetaTool({
  name: 'filter_resources',
  description:
    'Find resources and resource templates by glob on the URI or by server, a page at a time. Then get_resource.',
  annotations: READS_CATALOG,
  arguments: servedFilterArguments,
  resultSchema: filterResultSchema('resources', {
    filters: { server: { type: 'string' } },
    entry: resourceEntrySchema,
  }),
  dependsOn: (_args, { ports }) => [ports.gatewayResources()],
  answer: (args, context) => {
    const { resources, resourceTemplates } = context.snapshot;
    const own = context.ports.gatewayResources();
    const all: readonly ListedItem[] = [...resources, ...own, ...resourceTemplates];
    const kind = { list: 'resources', all, addressOf, entryOf: resourceEntry } as const;
    const filtered = filterServed(kind, args, context);
    return filtered.ok
      ? jsonResult(filtered.value)
      : refusalResult(filtered.refusal, context.ports);
  },
});
