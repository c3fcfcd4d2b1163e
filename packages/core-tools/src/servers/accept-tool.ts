import type { JsonObject } from '@gateway/call-contract';
import { ENDS_OR_REPLACES } from '../tool/annotations.ts';
import { defineCoreTool, type CoreTool } from '../tool/core-tool.ts';
import type { AcceptOutcome } from '../tool/ports.ts';
import { failedResult, sentenceResult } from '../tool/result.ts';
import { SERVER_NAME } from './definition-arguments.ts';

const MAX_TOOLS = 1000;
const MAX_TOOL_CHARS = 1024;
const MAX_SHOWN = 20;

/** Returns the names; `undefined` when the value is not a list of names. */
const namesOf = (tools: readonly unknown[]): readonly string[] | undefined => {
  const isName = (tool: unknown): tool is string =>
    typeof tool === 'string' && tool !== '' && tool.length <= MAX_TOOL_CHARS;
  return tools.length >= 1 && tools.length <= MAX_TOOLS && tools.every(isName) ? tools : undefined;
};

const listText = (names: readonly string[]): string => {
  const shown = names.slice(0, MAX_SHOWN).join(', ');
  return names.length > MAX_SHOWN ? `${shown} and ${String(names.length - MAX_SHOWN)} more` : shown;
};

/** Without changes, only the requested tools are known to be accepted. */
const doneText = (name: string, tools: readonly string[], areNamed: boolean): string =>
  tools.length === 0
    ? `MCP server '${name}' declares ${areNamed ? 'these' : 'its'} tools as they were accepted`
    : `Accepted what MCP server '${name}' declares of: ${listText(tools)}`;

const acceptResult = (name: string, outcome: AcceptOutcome, areNamed: boolean): JsonObject => {
  switch (outcome.kind) {
    case 'done':
      return sentenceResult(doneText(name, outcome.tools, areNamed), {
        tools: outcome.tools,
        saved: outcome.unsaved !== true,
      });
    case 'unknown':
      return failedResult(`Failed to accept tools: MCP server ${name} not found`);
    case 'unknown-tools':
      return failedResult(
        `Failed to accept tools: MCP server ${name} has no tools named ${listText(outcome.tools)}`,
        { tools: outcome.tools },
      );
    case 'failed':
      return failedResult(`Failed to accept tools: ${outcome.text}`);
  }
};

/** The tool that accepts the present declarations of a server; later changes are reported against them. */
export const acceptTool: CoreTool = defineCoreTool({
  name: 'core_mcpserver_accept',
  description:
    'Accept the present tool declarations of an MCP server: the changes that core_mcpserver_get shows, and read-only hints that are held back.',
  annotations: ENDS_OR_REPLACES,
  arguments: {
    name: SERVER_NAME,
    tools: {
      type: 'array',
      required: false,
      description: "The server's own names of tools; all when absent",
      schema: { items: { type: 'string' }, minItems: 1, maxItems: MAX_TOOLS },
    },
  },
  run: async ({ name, tools }, ports) => {
    if (tools === undefined) return acceptResult(name, await ports.acceptTools(name), false);
    const names = namesOf(tools);
    return names === undefined
      ? failedResult('tools must be an array of 1 to 1000 names')
      : acceptResult(name, await ports.acceptTools(name, names), true);
  },
});
