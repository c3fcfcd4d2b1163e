import { isJsonObject, type RpcError } from '@gateway/call-contract';

/** Id of a JSON-RPC request, as the protocol allows it. */
export type RpcId = string | number;

/** A response as text; `resultJson` is the result, serialised already. */
export const resultMessage = (id: RpcId, resultJson: string): string =>
  `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":${resultJson}}`;

/** An error response as text; `null` stands for a request whose id could not be read. */
export const errorMessage = (id: RpcId | null, error: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error });

/** A notification as text. */
export const notificationMessage = (method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', method, params });

/** A request of the server as text. */
export const requestMessage = (
  id: RpcId,
  { method, params }: { readonly method: string; readonly params: object },
): string => JSON.stringify({ jsonrpc: '2.0', id, method, params });

/** The id of a message when it has a usable one; otherwise `null`, as JSON-RPC asks for. */
export const idOf = (message: unknown): RpcId | null => {
  const id = isJsonObject(message) && Object.hasOwn(message, 'id') ? message['id'] : null;
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
};

/** A notification without an id; `undefined` when its parameters cannot be written as JSON. */
export const writtenNotification = (method: string, params: object): string | undefined => {
  try {
    return notificationMessage(method, params);
  } catch {
    return undefined;
  }
};
