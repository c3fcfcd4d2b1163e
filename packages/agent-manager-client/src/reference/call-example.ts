import { operationCall } from '../client/operation-call.ts';
import { OPERATION_EXAMPLES } from '../openapi/operation-examples.ts';
import type { OperationName } from '../operations/operations.ts';

const indentedJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** Quotes a text as one word of a shell. */
const shellWord = (text: string): string =>
  /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Returns the example of an operation as a curl command.
 * @param serverUrl base URL of the routes
 */
export const curlExample = (name: OperationName, serverUrl: string): string => {
  const call = operationCall(name, OPERATION_EXAMPLES[name].input);
  if (!call.ok) throw new Error(`the example of ${name}: ${call.failure.message}`);
  const { method, target, body } = call.value;
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const start = `curl -sS${verb} ${shellWord(serverUrl + target)}`;
  if (body === undefined) return start;
  return [
    start,
    "-H 'Content-Type: application/json'",
    `-d ${shellWord(indentedJson(JSON.parse(body)))}`,
  ].join(' \\\n  ');
};

/** Returns the example of an operation as the message of an MCP client. */
export const mcpExample = (name: OperationName): string =>
  indentedJson({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: OPERATION_EXAMPLES[name].input },
  });

/** Returns the answer of the example: the body of a REST response, or the text of an MCP result. */
export const answerExample = (name: OperationName): string =>
  indentedJson(OPERATION_EXAMPLES[name].output);
