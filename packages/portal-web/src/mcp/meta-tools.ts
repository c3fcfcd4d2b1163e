import type { McpClient, McpRequestOptions } from './mcp-client.ts';
import { isJsonObject, type JsonObject } from './mcp-outcome.ts';

/** The error of a meta-tool, or of the request. Its message is the sentence of the gateway. */
export class GatewayError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'GatewayError';
    this.status = status;
  }
}

const textOf = (result: JsonObject): string => {
  const { content } = result;
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  const text = isJsonObject(first) ? first['text'] : undefined;
  return typeof text === 'string' ? text : '';
};

const jsonOf = (text: string): JsonObject => {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new SyntaxError('not an object');
  return value;
};

const answerOf = (result: JsonObject): JsonObject => {
  const { structuredContent } = result;
  if (isJsonObject(structuredContent)) return structuredContent;
  try {
    return jsonOf(textOf(result));
  } catch {
    throw new GatewayError(200, 'The gateway answered with something else than JSON.');
  }
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
export interface MetaToolAnswer {
  readonly answer: JsonObject;
  readonly meta: JsonObject;
}

/** Calls a meta-tool that answers with JSON and returns the JSON with `_meta`. Rejects with a {@link GatewayError} for a refusal. @spec §1.1 */
export const callForAnswer = async (
  client: McpClient,
  name: string,
  args: JsonObject,
  options: McpRequestOptions = {},
): Promise<MetaToolAnswer> => {
  const result = await callForResult(client, name, args, options);
  if (result['isError'] === true) throw new GatewayError(200, textOf(result));
  const { _meta } = result;
  return { answer: answerOf(result), meta: isJsonObject(_meta) ? _meta : {} };
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
