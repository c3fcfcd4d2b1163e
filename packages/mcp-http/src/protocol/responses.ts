import { RPC_CODE, type RpcError } from '@gateway/call-contract';
import type { RawObject } from '@gateway/mcp-wire';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { SettledResponse } from './response-sink.ts';
import { errorMessage, resultMessage } from './json-rpc.ts';
import type { ScopedRequest } from './request-scope.ts';

/** Returns the response with a result. */
export const resultResponse = (
  { id }: JSONRPCRequest,
  result: string | RawObject,
): SettledResponse => ({
  message: resultMessage(id, result),
  status: 200,
});

/** Returns the response with an error. */
export const errorResponse = (
  { id }: JSONRPCRequest,
  error: RpcError,
  status = 200,
): SettledResponse => ({
  message: errorMessage(id, error),
  status,
});

/**
 * Returns the response with an error of a service: status 200, or 400 for 2026-07-28 when the request needs more than the client
 * declared. That revision has no code of its own for a missing resource.
 */
export const refusalResponse = (
  { request, scope }: ScopedRequest,
  error: RpcError,
): SettledResponse => {
  if (scope.era === 'legacy') return errorResponse(request, error);
  if (error.code === RPC_CODE.resourceNotFound) {
    return errorResponse(request, { ...error, code: RPC_CODE.invalidParams });
  }
  return errorResponse(request, error, error.code === RPC_CODE.missingClientCapability ? 400 : 200);
};

/** Returns the response to an unknown method: status 404 for 2026-07-28, status 200 for earlier revisions. */
export const methodNotFound = ({ request, scope }: ScopedRequest): SettledResponse => {
  const error = { code: RPC_CODE.methodNotFound, message: 'Method not found' };
  return errorResponse(request, error, scope.era === 'modern' ? 404 : 200);
};

/** The error that callers receive for an exception of the service, without details of it. */
export const INTERNAL_ERROR: RpcError = { code: RPC_CODE.internal, message: 'Internal error' };

/** Settles a request with a serialised result. */
export const settleResult = ({ request, scope }: ScopedRequest, resultJson: string): void => {
  scope.exchange.settle(resultResponse(request, resultJson));
};
