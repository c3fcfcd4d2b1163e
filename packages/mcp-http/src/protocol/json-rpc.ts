/** Id of a JSON-RPC request, as the protocol allows it. */
export type RpcId = string | number;

/** Error member of a JSON-RPC response. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Error codes of JSON-RPC 2.0 §5.1 and of the protocol's server range. */
export const RPC_CODE = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  transport: -32_000,
  sessionNotFound: -32_001,
  timeout: -32_001,
  resourceNotFound: -32_002,
  headerMismatch: -32_020,
  missingClientCapability: -32_021,
} as const;

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

/** Whether a JSON value is an object, not an array and not `null`. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
