import { isObject, formatObject, type LongText, type RawObject } from './raw-object.ts';

/** Id of a JSON-RPC request, as MCP allows it. */
export type RpcId = string | number;

/** Returns whether a value is the id of a request. */
export const isRpcId = (value: unknown): value is RpcId =>
  typeof value === 'string' || typeof value === 'number';

/** Returns the id of a message when it can be sent back; otherwise `null`, as JSON-RPC requires. */
export const readRpcId = (message: unknown): RpcId | null => {
  const id = isObject(message) && Object.hasOwn(message, 'id') ? message['id'] : null;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RpcId) : null;
};

/** Returns a response with a serialised result: in parts when it is large. */
export const formatResult = (id: RpcId, result: string | RawObject): LongText => {
  const head = `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":`;
  return typeof result === 'string' ? `${head}${result}}` : result.between(head, '}');
};

/** Returns an error response as text; `null` is the id of a request whose id could not be read. */
export const formatErrorMessage = (
  id: RpcId | null,
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
): string => JSON.stringify({ jsonrpc: '2.0', id, error });

/** Returns a notification as text. */
export const formatNotification = (method: string, params?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) });

/** Returns a notification as text; `undefined` when its parameters cannot be written as JSON. */
export const tryFormatNotification = (method: string, params: object): string | undefined => {
  try {
    return formatNotification(method, params);
  } catch {
    return undefined;
  }
};

/** Returns a request as text. Parameters may contain serialised JSON. */
export const formatRequest = (id: RpcId, method: string, params: object): string =>
  formatObject({ jsonrpc: '2.0', id, method, params });
