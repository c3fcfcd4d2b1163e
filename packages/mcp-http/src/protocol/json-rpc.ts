import { isJsonObject, type RpcError } from '@gateway/call-contract';
import { objectText, type LongText, type RawObject } from '@gateway/mcp-wire';

/** Id of a JSON-RPC request, as the protocol allows it. */
export type RpcId = string | number;

/** Returns a response with a serialised result: in parts when it is large. */
export const resultMessage = (id: RpcId, result: string | RawObject): LongText => {
  const head = `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":`;
  return typeof result === 'string' ? `${head}${result}}` : result.between(head, '}');
};

/** Returns an error response as text; `null` is the id of a request whose id could not be read. */
export const errorMessage = (id: RpcId | null, error: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error });

/** Returns a notification as text. */
export const notificationMessage = (method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', method, params });

/** Returns a request of the server as text. */
export const requestMessage = (
  id: RpcId,
  { method, params }: { readonly method: string; readonly params: object },
): string => objectText({ jsonrpc: '2.0', id, method, params });

/** Returns the id of a message when it is usable; otherwise `null`, as JSON-RPC requires. */
export const idOf = (message: unknown): RpcId | null => {
  const id = isJsonObject(message) && Object.hasOwn(message, 'id') ? message['id'] : null;
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
};

/** Returns a notification as text; `undefined` when its parameters cannot be written as JSON. */
export const writtenNotification = (method: string, params: object): string | undefined => {
  try {
    return notificationMessage(method, params);
  } catch {
    return undefined;
  }
};
