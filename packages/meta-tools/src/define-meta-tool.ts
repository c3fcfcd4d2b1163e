import type { JsonObject, ToolAnnotations } from '@gateway/catalog';
import { inputSchemaOf, readArguments } from './arguments/argument-table.ts';
import type { ArgumentsOf, ArgumentTable } from './arguments/argument.ts';
import type { MetaToolDefinition, MetaToolName, MetaToolResult } from './meta-tool.ts';
import type { RequestContext } from './request-context.ts';
import { refusalResult } from './result.ts';

/** One meta-tool as its file writes it down. */
export interface MetaToolSource<A extends ArgumentTable> {
  readonly name: MetaToolName;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly arguments: A;
  /** JSON Schema of the value that a successful answer holds as its text; that of `call_tool`, of the result. */
  readonly resultSchema: JsonObject;
  readonly answer: (
    args: ArgumentsOf<A>,
    context: RequestContext,
  ) => MetaToolResult | Promise<MetaToolResult>;
}

/** One meta-tool, ready to be called with unread arguments. */
export interface MetaTool {
  readonly definition: MetaToolDefinition;
  readonly resultSchema: JsonObject;
  readonly answer: (
    given: unknown,
    context: RequestContext,
  ) => MetaToolResult | Promise<MetaToolResult>;
}

/** Meta-tools that only read the catalog: nothing changes, and nothing outside is reached. */
export const READS_CATALOG: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Meta-tools that read from a server: nothing changes, but the answer comes from outside. */
export const READS_SERVER: ToolAnnotations = { ...READS_CATALOG, openWorldHint: true };

/** Makes a meta-tool of its source: the shown schema and the reading of the arguments come from one table. */
export const defineMetaTool = <A extends ArgumentTable>(source: MetaToolSource<A>): MetaTool => ({
  definition: {
    name: source.name,
    description: source.description,
    inputSchema: inputSchemaOf(source.arguments),
    annotations: source.annotations,
  },
  resultSchema: source.resultSchema,
  answer: (given, context) => {
    const args = readArguments(source.arguments, given);
    return args.ok
      ? source.answer(args.value, context)
      : refusalResult(args.refusal, context.ports);
  },
});
