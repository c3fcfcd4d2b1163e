import {
  toLegacyOutputSchema,
  type CallContext,
  type CallResult,
  type JsonObject,
} from '@gateway/call-contract';
import { toToolInfo, type CatalogTool } from '@gateway/catalog';
import { readMember } from '@gateway/mcp-wire';
import { defineMetaTool, READS_CATALOG, createTextArgument } from '../define-meta-tool.ts';
import { createJsonResult, createRefusalResult } from '../contract/result.ts';
import type { ToolsetScope, MetaToolPorts } from '../contract/meta-tool.ts';
import { createToolFilter, findUnavailableTool, findWithheldTool } from '../scope/absent-tools.ts';
import type { MetaToolContext } from '../scope/toolset-scope.ts';
import { toolDetailSchema } from './list-tools.ts';

/** Results reach the clients of the 2025 revisions as objects, with schemas to match. */
const isLegacy = ({ caller }: CallContext): boolean => caller?.takesInputRequired === false;

const pickOutputSchema = ({ outputSchema }: CatalogTool, call: CallContext): JsonObject => {
  if (outputSchema === undefined) return {};
  return { outputSchema: isLegacy(call) ? toLegacyOutputSchema(outputSchema) : outputSchema };
};

const createToolDetail = (tool: CatalogTool, call: CallContext): JsonObject => ({
  ...toToolInfo(tool, { description: 'full', schema: true }),
  // An empty description is included here; listings omit the key.
  description: tool.description,
  ...(tool.title !== undefined && { title: tool.title }),
  ...pickOutputSchema(tool, call),
  ...(tool.changed !== undefined && { changed: tool.changed }),
});

const refuseOutsideTool = (
  name: string,
  { toolset }: ToolsetScope,
  ports: MetaToolPorts,
): CallResult =>
  createRefusalResult(
    { code: 'toolset.outside', kind: 'tool', name, toolset: toolset.text },
    ports,
  );

/**
 * Answers about a tool that the catalog does not have: with the reason why the caller may not call it, or with its last known entry
 * while its server is down.
 */
const answerAbsentTool = (name: string, context: MetaToolContext): CallResult => {
  const { scope, ports, call } = context;
  const withheld = findWithheldTool(name, context);
  if (withheld !== undefined) {
    const refusal = ports.withheldTools(call.principal)?.findRefusal(name);
    return createJsonResult({ ...createToolDetail(withheld, call), available: false, refusal });
  }
  const known = ports.lastKnownTools(call.principal);
  const unavailable = findUnavailableTool(name, known);
  if (known === undefined || unavailable === undefined)
    return createRefusalResult({ code: 'tool.unknown', name }, ports);
  if (scope !== undefined && !createToolFilter(known.catalog, context)(unavailable.tool))
    return refuseOutsideTool(name, scope, ports);
  const { tool, states } = unavailable;
  const serverStates = Object.fromEntries(states);
  const result = createJsonResult({
    ...createToolDetail(tool, call),
    available: false,
    serverStates,
  });
  // A copy keeps no text and is not cached: it is outdated as soon as a state changes.
  return { content: readMember(result, 'content') };
};

/** Shows one tool with its schemas. @spec §1.1, §2.4, §4.2 */
export const describeTool = defineMetaTool({
  name: 'describe_tool',
  description:
    'Show a tool in full, with its inputSchema, when filter_tools does not say enough to call it.',
  annotations: READS_CATALOG,
  arguments: { name: createTextArgument() },
  resultSchema: toolDetailSchema,
  dependsOn: (_args, { call }) => [isLegacy(call)],
  answer: ({ name }, context) => {
    const { snapshot, scope, ports, call } = context;
    const tool = snapshot.tool(name);
    if (tool === undefined) return answerAbsentTool(name, context);
    if (scope !== undefined && !scope.selection.has(tool)) {
      return refuseOutsideTool(name, scope, ports);
    }
    return createJsonResult(createToolDetail(tool, call));
  },
});
