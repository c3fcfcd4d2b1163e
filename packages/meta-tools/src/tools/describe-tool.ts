import type { JsonObject } from '@gateway/call-contract';
import { toolInfo, type CatalogTool } from '@gateway/catalog';
import { requiredText } from '../arguments/argument-kinds.ts';
import { defineMetaTool, NOTHING_MORE, READS_CATALOG } from '../definition/define-meta-tool.ts';
import { jsonResult, refusalResult } from '../contract/result.ts';
import { toolDetailSchema } from './tool-entry-schema.ts';

const toolDetail = (tool: CatalogTool): JsonObject => ({
  ...toolInfo(tool, { description: 'full', schema: true }),
  // An empty description is included here; listings omit the key.
  description: tool.description,
  ...(tool.title !== undefined && { title: tool.title }),
  ...(tool.outputSchema !== undefined && { outputSchema: tool.outputSchema }),
});

/** Shows one tool with its schemas. @spec §1.1, §2.4, §4.2 */
export const describeTool = defineMetaTool({
  name: 'describe_tool',
  description:
    'Show one tool in full: description, inputSchema, server, hints. Use before the first call_tool of a tool.',
  annotations: READS_CATALOG,
  arguments: { name: requiredText('Exact tool name') },
  resultSchema: toolDetailSchema,
  dependsOn: () => NOTHING_MORE,
  answer: ({ name }, { snapshot, scope, ports }) => {
    const tool = snapshot.tool(name);
    if (tool === undefined) return refusalResult({ code: 'tool.unknown', name }, ports);
    if (scope !== undefined && !scope.selection.has(tool)) {
      return refusalResult(
        { code: 'toolset.outside', kind: 'tool', name, toolset: scope.toolset.text },
        ports,
      );
    }
    return jsonResult(toolDetail(tool));
  },
});
