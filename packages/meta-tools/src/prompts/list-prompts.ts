import { defineMetaTool, NOTHING_MORE, READS_CATALOG } from '../definition/define-meta-tool.ts';
import { jsonResult } from '../contract/result.ts';
import { insideToolset } from '../scope/server-membership.ts';
import { promptEntry, promptEntrySchema } from './prompt-entry.ts';

/** Lists every prompt of the servers inside the toolset. @spec §1.1, §4.2 */
export const listPrompts = defineMetaTool({
  name: 'list_prompts',
  description:
    'List every prompt of the connected servers. Prefer filter_prompts when there may be many.',
  annotations: READS_CATALOG,
  arguments: {},
  resultSchema: { type: 'array', items: promptEntrySchema },
  dependsOn: () => NOTHING_MORE,
  answer: (_args, context) =>
    jsonResult(insideToolset(context.snapshot.prompts, context).map(promptEntry)),
});
