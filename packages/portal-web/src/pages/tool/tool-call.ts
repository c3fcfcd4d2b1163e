import type { McpClient } from '../../mcp/mcp-client.ts';
import { isJsonObject, type JsonObject, type Progress } from '../../mcp/mcp-outcome.ts';

/** A question of a server, asked during a call. MCP 2026-07-28, multi round-trip requests */
export interface Question {
  readonly id: string;
  readonly method: string;
  readonly params: JsonObject;
}

/** The state of a call. `asking` waits for answers to questions; a call with answers continues with them and with `requestState`. */
export type ToolCall =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly progress?: Progress }
  | {
      readonly state: 'asking';
      readonly questions: readonly Question[];
      readonly requestState?: string;
    }
  | { readonly state: 'done'; readonly result: JsonObject; readonly isError: boolean }
  | { readonly state: 'cancelled'; readonly message: string }
  | { readonly state: 'failed'; readonly message: string };

/** Answers to the questions of a call, by id. */
export interface Answers {
  readonly responses: Readonly<Record<string, JsonObject>>;
  readonly requestState?: string;
}

/** The call of a tool, and how it is followed. */
export interface CallOptions {
  readonly name: string;
  readonly args: JsonObject;
  readonly answers?: Answers;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

const NO_QUESTION = 'The server asks for an answer, but its question is missing or not valid.';

const questionsOf = (requests: unknown): readonly Question[] =>
  Object.entries(isJsonObject(requests) ? requests : {}).flatMap(([id, request]) => {
    if (!isJsonObject(request) || typeof request['method'] !== 'string') return [];
    const { method, params } = request;
    return [{ id, method, params: isJsonObject(params) ? params : {} }];
  });

const ended = (result: JsonObject): ToolCall => {
  if (result['resultType'] !== 'input_required')
    return { state: 'done', result, isError: result['isError'] === true };
  const { requestState, inputRequests } = result;
  const questions = questionsOf(inputRequests);
  // A call that asks nothing could be neither answered nor ended.
  if (questions.length === 0) return { state: 'failed', message: NO_QUESTION };
  return {
    state: 'asking',
    questions,
    ...(typeof requestState === 'string' && { requestState }),
  };
};

/** Calls a tool through `call_tool`, or continues a call with answers. Resolves with the state in which the call ends or asks. @spec §1.1 */
export const callTool = async (client: McpClient, options: CallOptions): Promise<ToolCall> => {
  const { name, args, answers, signal, onProgress } = options;
  const outcome = await client.request(
    'tools/call',
    {
      name: 'call_tool',
      arguments: { name, arguments: args },
      ...(answers !== undefined && { inputResponses: answers.responses }),
      ...(answers?.requestState !== undefined && { requestState: answers.requestState }),
    },
    { signal, onProgress },
  );
  if (outcome.ok) return ended(outcome.result);
  return { state: signal.aborted ? 'cancelled' : 'failed', message: outcome.message };
};
