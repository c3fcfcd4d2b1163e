import { RPC_CODE, type RpcError } from '@gateway/call-contract';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { SettledResponse } from './response-sink.ts';
import { errorMessage, resultMessage } from './json-rpc.ts';
import type { ScopedRequest } from './request-scope.ts';

/** A result as what becomes of its request. */
export const settledResult = ({ id }: JSONRPCRequest, resultJson: string): SettledResponse => ({
  message: resultMessage(id, resultJson),
  status: 200,
});

/** An error as what becomes of its request. */
export const settledError = (
  { id }: JSONRPCRequest,
  error: RpcError,
  status = 200,
): SettledResponse => ({
  message: errorMessage(id, error),
  status,
});

/**
 * The error of a service as what becomes of its request: inside a 200, but for 2026-07-28 what needs more of the client than it
 * declared, which is a 400. That revision has no code of its own for a resource that is not there.
 */
export const settledRefusal = (
  { request, scope }: ScopedRequest,
  error: RpcError,
): SettledResponse => {
  if (scope.era === 'legacy') return settledError(request, error);
  if (error.code === RPC_CODE.resourceNotFound) {
    return settledError(request, { ...error, code: RPC_CODE.invalidParams });
  }
  return settledError(request, error, error.code === RPC_CODE.missingClientCapability ? 400 : 200);
};

/** 2026-07-28 answers an unknown method with 404 too; earlier revisions keep the error inside a 200. */
export const methodNotFound = ({ request, scope }: ScopedRequest): SettledResponse => {
  const error = { code: RPC_CODE.methodNotFound, message: 'Method not found' };
  return settledError(request, error, scope.era === 'modern' ? 404 : 200);
};
