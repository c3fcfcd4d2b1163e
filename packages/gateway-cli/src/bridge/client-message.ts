import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import { envelopeVersion } from '@gateway/downstream';

/** Identifier of a JSON-RPC request. */
export type RpcId = string | number;

/** A request of the client. */
export interface ClientRequest {
  readonly kind: 'request';
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject | undefined;
  /** The request as the client wrote it. */
  readonly line: string;
}

/** A message of the client that has no answer. */
export interface ClientNotice {
  readonly kind: 'notification' | 'response';
  readonly method: string | undefined;
  readonly params: JsonObject | undefined;
  readonly line: string;
}

/** A line of the client. A batch of 2025-03-26 is `batch`: its requests are answered together. */
export type ClientMessage =
  | ClientRequest
  | ClientNotice
  | { readonly kind: 'batch'; readonly ids: readonly RpcId[]; readonly line: string }
  | { readonly kind: 'not-valid' };

/** Returns whether a value is the identifier of a request. */
export const isRpcId = (value: unknown): value is RpcId =>
  typeof value === 'string' || typeof value === 'number';

const NOT_VALID = { kind: 'not-valid' } as const;

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
};

/** Returns the message in a line. Only what the transport needs is checked; the gateway checks the rest. */
export const clientMessage = (line: string): ClientMessage => {
  const value = parsed(line);
  if (Array.isArray(value)) {
    const requests = value.filter((one) => isJsonObject(one) && typeof one['method'] === 'string');
    const ids = requests.map((one) => (one as JsonObject)['id']).filter(isRpcId);
    return { kind: 'batch', ids, line };
  }
  if (!isJsonObject(value)) return NOT_VALID;
  const { id, method } = value;
  const params = isJsonObject(value['params']) ? value['params'] : undefined;
  if (typeof method !== 'string') {
    const isResponse = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
    return isResponse ? { kind: 'response', method: undefined, params, line } : NOT_VALID;
  }
  if (!Object.hasOwn(value, 'id')) return { kind: 'notification', method, params, line };
  return isRpcId(id) ? { kind: 'request', id, method, params, line } : NOT_VALID;
};

/** Returns whether a message is one of 2026-07-28, which has no session. */
export const isModern = ({ params }: Pick<ClientRequest, 'params'>): boolean =>
  envelopeVersion(params) !== undefined;
