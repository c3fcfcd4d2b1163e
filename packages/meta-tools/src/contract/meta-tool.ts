import type { CallContext, CallResult, JsonObject, Principal } from '@gateway/call-contract';
import type { ToolAnnotations, ToolSelection } from '@gateway/catalog';
import type { Toolset } from '@gateway/toolset-grammar';

/** The names of the 13 meta-tools. @spec §1.1 */
export type MetaToolName =
  | 'list_tools'
  | 'filter_tools'
  | 'describe_tool'
  | 'list_core_tools'
  | 'call_tool'
  | 'list_resources'
  | 'filter_resources'
  | 'describe_resource'
  | 'get_resource'
  | 'list_prompts'
  | 'filter_prompts'
  | 'describe_prompt'
  | 'get_prompt';

/** A meta-tool as `tools/list` shows it; the same for every caller and every toolset. @spec §1.1, §4.2 */
export interface MetaToolDefinition {
  readonly name: MetaToolName;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: ToolAnnotations;
}

/** The toolset header, the principal and the session of a request. @spec §4.1 */
export interface ToolsetRequest {
  /** The values of the toolset header's lines, in order; `undefined` without the header: unscoped. @spec §4.1 */
  readonly toolsetHeader: readonly string[] | undefined;
  readonly principal: Principal;
  readonly sessionId: string | undefined;
}

/** One call of a meta-tool. It carries its own scope; nothing of it outlives the call. @spec §3, §4.1 */
export interface MetaToolRequest extends Pick<ToolsetRequest, 'toolsetHeader'> {
  readonly name: string;
  /** The arguments as received, unchecked. */
  readonly arguments: unknown;
  readonly context: CallContext;
}

/** The answer of a meta-tool. A result that the meta-tools wrote keeps its text. */
export interface MetaToolAnswer {
  /**
   * The result of a `tools/call`. That of `call_tool` is the called tool's own; every other holds one text item,
   * with `isError: true` and a sentence for a failure, else compact JSON.
   */
  readonly result: CallResult;
}

/** The part of the catalog that a toolset selects. @spec §4.1 */
export interface ToolsetScope {
  readonly toolset: Toolset;
  readonly selection: ToolSelection;
  /** The selectors that select nothing, as given and in order. */
  readonly unmatched: readonly string[];
}
