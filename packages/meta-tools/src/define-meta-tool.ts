import type { JsonObject } from '@gateway/call-contract';
import type { ToolAnnotations } from '@gateway/catalog';
import type { AnswerKey } from './scope/answer-memo.ts';
import {
  type ArgumentTable,
  type ArgumentValues,
  createArgumentReader,
  toInputSchema,
} from './arguments.ts';
import type { MetaToolAnswer, MetaToolDefinition, MetaToolName } from './contract/meta-tool.ts';
import type { MetaToolContext } from './scope/toolset-scope.ts';
import { type Refusal, createRefusalResult } from './contract/result.ts';

/** One meta-tool as its file writes it down. */
interface MetaToolSource<A extends ArgumentTable> {
  readonly name: MetaToolName;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly arguments: A;
  /** JSON Schema of the value that a successful answer holds as its text; that of `call_tool`, of the result. */
  readonly resultSchema: JsonObject;
  readonly answer: (
    args: ArgumentValues<A>,
    context: MetaToolContext,
  ) => MetaToolAnswer | Promise<MetaToolAnswer>;
  /** Returns why the toolset of a request does not admit the call; absent where a toolset only narrows the answer. @spec §4.2 */
  readonly refuse?: (args: ArgumentValues<A>, context: MetaToolContext) => Refusal | undefined;
  /**
   * The objects on which the answer depends, besides the arguments, the snapshot and the toolset's selection: the answer is
   * cached while they are the same objects. `undefined`: the answer is not cached.
   */
  readonly dependsOn?: (
    args: ArgumentValues<A>,
    context: MetaToolContext,
  ) => readonly unknown[] | undefined;
}

/** One meta-tool, ready to be called with unread arguments. */
export interface MetaTool {
  readonly definition: MetaToolDefinition;
  readonly resultSchema: JsonObject;
  readonly answer: (
    given: unknown,
    context: MetaToolContext,
  ) => MetaToolAnswer | Promise<MetaToolAnswer>;
  /** Returns the refusal of a call that the toolset of a request does not admit; `undefined` for any other call. */
  readonly refuse: (given: unknown, context: MetaToolContext) => MetaToolAnswer | undefined;
}

/** For answers that depend on nothing but the arguments, the snapshot and the toolset. */
export const NOTHING_MORE: readonly unknown[] = [];

/** Meta-tools that only read the catalog: nothing changes, and nothing outside is reached. */
export const READS_CATALOG: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Annotations of meta-tools that read from a server: they change nothing, but the answer comes from outside. */
export const READS_SERVER: ToolAnnotations = { ...READS_CATALOG, openWorldHint: true };

/** Creates a meta-tool from its source: its schema and the parser of its arguments come from one table. */
export const defineMetaTool = <A extends ArgumentTable>(source: MetaToolSource<A>): MetaTool => {
  const { name, dependsOn } = source;
  const readArguments = createArgumentReader(source.arguments);
  return {
    definition: {
      name,
      description: source.description,
      inputSchema: toInputSchema(source.arguments),
      annotations: source.annotations,
    },
    resultSchema: source.resultSchema,
    answer: (given, context) => {
      const args = readArguments(given);
      if (!args.ok) return createRefusalResult(args.refusal, context.ports);
      const grounds = dependsOn?.(args.value, context);
      if (grounds === undefined) return source.answer(args.value, context);
      const question = { name, args: args.value, grounds };
      return context.memo.recall(question, context) ?? keptAnswer(source, question, context);
    },
    refuse: (given, context) => {
      const args = readArguments(given);
      const refusal = args.ok ? source.refuse?.(args.value, context) : undefined;
      return refusal && createRefusalResult(refusal, context.ports);
    },
  };
};

const keptAnswer = <A extends ArgumentTable>(
  source: MetaToolSource<A>,
  question: AnswerKey & { readonly args: ArgumentValues<A> },
  context: MetaToolContext,
): MetaToolAnswer | Promise<MetaToolAnswer> => {
  const answer = source.answer(question.args, context);
  if (!(answer instanceof Promise)) context.memo.keep(question, context, answer);
  return answer;
};
