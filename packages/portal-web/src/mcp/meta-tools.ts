import { isJsonObject, type JsonObject, toList, toObject, toText } from '@gateway/call-contract';
import { parseObject } from './json.ts';
import type { McpClient, McpRequestOptions } from './mcp-client.ts';

/** The error of a meta-tool, or of the request. Its message is the sentence of the gateway. */
export class GatewayError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'GatewayError';
    this.status = status;
  }
}

/** Returns the text of a result: that of its first item. */
export const readText = ({ content }: JsonObject): string =>
  toText(toObject(toList(content)[0])['text']);

const readAnswer = (result: JsonObject): JsonObject => {
  const { structuredContent } = result;
  const answer = isJsonObject(structuredContent)
    ? structuredContent
    : parseObject(readText(result));
  if (answer !== undefined) return answer;
  throw new GatewayError(200, 'The gateway answered with something else than JSON.');
};

/** Calls a tool of the gateway's own surface and returns its result. Rejects with a {@link GatewayError}. @spec §1.1 */
export const callForResult = async (
  client: McpClient,
  name: string,
  args: JsonObject,
  options: McpRequestOptions = {},
): Promise<JsonObject> => {
  const outcome = await client.request('tools/call', { name, arguments: args }, options);
  if (!outcome.ok) throw new GatewayError(outcome.status, outcome.message);
  return outcome.result;
};

/** The JSON that a meta-tool answers with, and `_meta` of its result. */
export interface ToolAnswer {
  readonly answer: JsonObject;
  readonly meta: JsonObject;
}

/** Calls a meta-tool that answers with JSON and returns the JSON with `_meta`. Rejects with a {@link GatewayError} for a refusal. @spec §1.1 */
export const callForAnswer = async (
  client: McpClient,
  name: string,
  args: JsonObject,
  options: McpRequestOptions = {},
): Promise<ToolAnswer> => {
  const result = await callForResult(client, name, args, options);
  if (result['isError'] === true) throw new GatewayError(200, readText(result));
  const { _meta } = result;
  return { answer: readAnswer(result), meta: toObject(_meta) };
};

/** Calls a meta-tool that answers with JSON and returns the JSON. Rejects with a {@link GatewayError} for a refusal. @spec §1.1 */
export const callMetaTool = async (
  client: McpClient,
  name: string,
  args: JsonObject = {},
  options: McpRequestOptions = {},
): Promise<JsonObject> => (await callForAnswer(client, name, args, options)).answer;

/** Calls a core tool that answers with JSON, through `call_tool`. @spec §1.3 */
export const callCoreTool = (
  client: McpClient,
  name: string,
  args: JsonObject = {},
  options: McpRequestOptions = {},
): Promise<JsonObject> => callMetaTool(client, 'call_tool', { name, arguments: args }, options);
