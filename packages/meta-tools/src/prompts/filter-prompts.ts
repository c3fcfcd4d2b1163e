import type { CatalogPrompt } from '@gateway/catalog';
import { defineMetaTool, NOTHING_MORE, READS_CATALOG } from '../definition/define-meta-tool.ts';
import { filterResultSchema } from '../definition/filter-result-schema.ts';
import { filterServed, servedFilterArguments } from '../definition/filter-served.ts';
import { jsonResult, refusalResult } from '../contract/result.ts';
import { promptEntry, promptEntrySchema } from './prompt-entry.ts';

const nameOf = ({ name }: CatalogPrompt): string => name;

/** Filters prompts by exposed name and server, a page at a time. @spec §1.1, §4.2 */
export const filterPrompts = defineMetaTool({
  name: 'filter_prompts',
  description:
    'Find prompts by glob on the name or by server, a page at a time. Then describe_prompt.',
  annotations: READS_CATALOG,
  arguments: servedFilterArguments,
  resultSchema: filterResultSchema('prompts', {
    filters: { server: { type: 'string' } },
    entry: promptEntrySchema,
  }),
  dependsOn: () => NOTHING_MORE,
  answer: (args, context) => {
    const all = context.snapshot.prompts;
    const kind = { list: 'prompts', all, addressOf: nameOf, entryOf: promptEntry } as const;
    const filtered = filterServed(kind, args, context);
    return filtered.ok
      ? jsonResult(filtered.value)
      : refusalResult(filtered.refusal, context.ports);
  },
});
