import {
  type CallResult,
  type JsonObject,
  type RpcError,
  findText,
  readOwnField,
} from '@gateway/call-contract';
import { callTool } from './tools/call-tool.ts';
import { describeTool } from './tools/describe-tool.ts';
import type { MetaTool } from './define-meta-tool.ts';
import { PROMPT_TOOLS } from './prompts.ts';
import { RESOURCE_TOOLS } from './resources.ts';
import { filterTools } from './tools/filter-tools.ts';
import { listCoreTools, listTools } from './tools/list-tools.ts';
import { AnswerMemo } from './scope/answer-memo.ts';
import type {
  MetaToolDefinition,
  MetaToolName,
  MetaToolRequest,
  ToolsetRequest,
  MetaToolPorts,
} from './contract/meta-tool.ts';
import { createRefusalResult, createToolsetError } from './contract/result.ts';
import { createIdleContext, type MetaToolContext, ToolsetScopes } from './scope/toolset-scope.ts';

/** In the order of the spec. @spec §1.1 */
const META_TOOLS: readonly MetaTool[] = [
  listTools,
  filterTools,
  describeTool,
  listCoreTools,
  callTool,
  ...RESOURCE_TOOLS,
  ...PROMPT_TOOLS,
];

const metaToolByName: ReadonlyMap<string, MetaTool> = new Map(
  META_TOOLS.map((tool) => [tool.definition.name, tool]),
);

/** Returns the name of the tool that a call of a meta-tool runs: the name in the arguments of `call_tool`, otherwise that of the meta-tool. */
export const findCalledTool = (name: unknown, args: unknown): string | undefined =>
  findText(name === callTool.definition.name ? readOwnField(args, 'name') : name);

/** JSON Schema of the answer of each meta-tool: of the JSON in its text item; for `call_tool`, of the result itself. */
export const resultSchemas: Readonly<Record<MetaToolName, JsonObject>> = Object.fromEntries(
  META_TOOLS.map(({ definition, resultSchema }) => [definition.name, resultSchema]),
) as Record<MetaToolName, JsonObject>;

/** The fixed set of tools that the gateway shows to every caller. @spec §1.1 */
export interface MetaTools {
  /** All meta-tools, in the order of the spec; no request and no toolset changes them. @spec §4.2 */
  readonly definitions: readonly MetaToolDefinition[];
  /**
   * Answers one call, at once where no port has to be waited for; throws or rejects only when a port does. The result of `call_tool` is
   * that of the called tool; every other holds one text item, with `isError: true` and a sentence for a refusal, else compact JSON.
   */
  call(request: MetaToolRequest): CallResult | Promise<CallResult>;
  /** Returns why the toolset of a request is refused, whatever it requests; `undefined` for a valid or absent one. @spec §7.1 */
  refuseToolset(request: ToolsetRequest): RpcError | undefined;
  /**
   * Returns the refusal of a call that the toolset of a request does not admit; `undefined` for any other call. Calls no server.
   *
   * @spec §4.2
   */
  refuseCall(
    call: Pick<MetaToolRequest, 'name' | 'arguments'>,
    request: ToolsetRequest,
  ): CallResult | undefined;
}

/**
 * Creates the meta-tools over their ports. Between two calls they cache only answers about unchanged catalogs, within bounds.
 *
 * @param options.apiGroup the prefix of the `_meta` keys with the tool that answered a `call_tool` and with the toolset of a request
 * @param options.pageSize the most entries of a list without `limit`; 0: all
 * @spec §1.1, §4.2, §4.3
 */
export const createMetaTools = (
  ports: MetaToolPorts,
  { apiGroup, pageSize }: Pick<MetaToolContext, 'apiGroup' | 'pageSize'>,
): MetaTools => {
  const scopes = new ToolsetScopes(ports);
  const memo = new AnswerMemo();
  const originMetas: MetaToolContext['originMetas'] = new WeakMap();
  return {
    definitions: META_TOOLS.map(({ definition }) => definition),
    call: ({ name, arguments: args, toolsetHeader, context: call }) => {
      const tool = metaToolByName.get(name);
      if (tool === undefined)
        return createRefusalResult({ code: 'meta-tool.unknown', name }, ports);
      const {
        snapshot,
        presets,
        scope: found,
      } = scopes.resolve({
        toolsetHeader,
        principal: call.principal,
      });
      if (!found.ok) return createRefusalResult(found.refusal, ports);
      const scope = found.value;
      return tool.answer(args, {
        ports,
        apiGroup,
        pageSize,
        originMetas,
        snapshot,
        presets,
        scope,
        call,
        memo,
      });
    },
    refuseToolset: (request) => {
      const { scope } = scopes.resolve(request);
      return scope.ok ? undefined : createToolsetError(scope.refusal, ports);
    },
    refuseCall: ({ name, arguments: args }, request) => {
      const { snapshot, presets, scope: found } = scopes.resolve(request);
      if (!found.ok) return createRefusalResult(found.refusal, ports);
      // Without a toolset nothing is narrowed.
      const scope = found.value;
      if (scope === undefined) return undefined;
      const call = createIdleContext(request);
      const fixed = { ports, apiGroup, pageSize, originMetas, memo };
      const context = { ...fixed, snapshot, presets, scope, call };
      return metaToolByName.get(name)?.refuse(args, context);
    },
  };
};
