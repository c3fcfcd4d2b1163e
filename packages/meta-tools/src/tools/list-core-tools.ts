import { toolInfo } from '@gateway/catalog';
import { flag } from '../arguments/argument-kinds.ts';
import { defineMetaTool, NOTHING_MORE, READS_CATALOG } from '../definition/define-meta-tool.ts';
import { filterResultSchema } from '../definition/filter-result-schema.ts';
import { jsonResult } from '../contract/result.ts';
import { toolEntrySchema } from './tool-entry-schema.ts';
import { visibleTools } from './visible-tools.ts';

/** Lists the gateway's own tools of the caller's catalog, in the shape of `filter_tools`. @spec §1.1, §1.3, §4.2 */
export const listCoreTools = defineMetaTool({
  name: 'list_core_tools',
  description:
    "List the gateway's own tools (core_*): servers, services, workflows, configuration.",
  annotations: READS_CATALOG,
  arguments: { include_schema: flag('Include each inputSchema', false) },
  resultSchema: filterResultSchema('tools', {
    filters: { include_schema: { type: 'boolean' } },
    entry: toolEntrySchema,
  }),
  dependsOn: () => NOTHING_MORE,
  answer: ({ include_schema: schema }, context) => {
    const { scope, snapshot } = context;
    const tools = snapshot.coreTools.filter((tool) => scope?.selection.has(tool) ?? true);
    return jsonResult({
      filters: {
        pattern: 'core*',
        case_sensitive: false,
        include_schema: schema,
        limit: 0,
        offset: 0,
      },
      total_tools: visibleTools(context).length,
      filtered_count: tools.length,
      total: tools.length,
      truncated: false,
      tools: tools.map((tool) => toolInfo(tool, { description: 'full', schema })),
    });
  },
});
