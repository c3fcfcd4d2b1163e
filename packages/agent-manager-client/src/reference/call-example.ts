import { operationCall } from '../client/operation-call.ts';
import { OPERATION_EXAMPLES } from '../openapi/operation-examples.ts';
import type { OperationName } from '../operations/operations.ts';

const indented = (value: unknown): string => JSON.stringify(value, null, 2);

/** A text as one word of a shell. */
const word = (text: string): string =>
  /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * The example of an operation as a command line.
 * @param serverUrl address in front of the routes
 */
export const curlExample = (name: OperationName, serverUrl: string): string => {
  const call = operationCall(name, OPERATION_EXAMPLES[name].input);
  if (!call.ok) throw new Error(`the example of ${name}: ${call.failure.message}`);
  const { method, target, body } = call.value;
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const start = `curl -sS${verb} ${word(serverUrl + target)}`;
  if (body === undefined) return start;
  return [
    start,
    "-H 'Content-Type: application/json'",
    `-d ${word(indented(JSON.parse(body)))}`,
  ].join(' \\\n  ');
};

/** The example of an operation as the message of an MCP client. */
export const mcpExample = (name: OperationName): string =>
  indented({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: OPERATION_EXAMPLES[name].input },
  });

/** The answer of the example, as REST has it in its body and MCP in its text. */
export const answerExample = (name: OperationName): string =>
  indented(OPERATION_EXAMPLES[name].output);
