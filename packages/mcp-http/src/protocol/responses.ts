import { type CallResult, RPC_CODE, type RpcError } from '@gateway/call-contract';
import { formatError, formatResult, memberOf, type RawObject } from '@gateway/mcp-wire';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { ScopedRequest, SettledResponse } from './request-scope.ts';
import type { McpService, ServiceAnswer } from './mcp-service.ts';
import {
  type ResultStamp,
  cacheableResultStamp,
  resultJson,
  resultStamp,
  withObjectContent,
} from './results.ts';

/** Returns the response with a result. */
export const resultResponse = (
  { id }: JSONRPCRequest,
  result: string | RawObject,
): SettledResponse => ({
  message: formatResult(id, result),
  status: 200,
});

/** Returns the response with an error. */
export const errorResponse = (
  { id }: JSONRPCRequest,
  error: RpcError,
  status = 200,
): SettledResponse => ({
  message: formatError(id, error),
  status,
});

/**
 * Returns the response with an error of a service: status 200, or 400 for 2026-07-28 when the request needs more than the client
 * declared. That revision has no code of its own for a missing resource.
 */
const refusalResponse = ({ request, scope }: ScopedRequest, error: RpcError): SettledResponse => {
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

/** Writes the answers of a service as responses of the revision that a request has. */
export class AnswerWriter {
  readonly #onError: (error: unknown) => void;
  readonly #stamp: ResultStamp;
  readonly #readStamp: ResultStamp;

  constructor(service: McpService, resourceTtlMs: number, onError: (error: unknown) => void) {
    this.#onError = onError;
    this.#stamp = resultStamp(service);
    this.#readStamp = cacheableResultStamp(service, resourceTtlMs);
  }

  /** Returns the response to a request; an internal error for an answer that cannot be written as JSON. */
  write({ request, scope }: ScopedRequest, answer: ServiceAnswer): SettledResponse {
    try {
      if (!answer.ok) return refusalResponse({ request, scope }, answer.error);
      const { method } = request;
      const { result } = answer;
      if (scope.era === 'modern')
        return resultResponse(request, resultJson(result, this.#stampOf(method, result)));
      const shown = method === 'tools/call' ? withObjectContent(result) : result;
      return resultResponse(request, resultJson(shown, undefined));
    } catch (error) {
      this.#onError(error);
      return errorResponse(request, INTERNAL_ERROR);
    }
  }

  /** Returns the stamp of a result: a complete resource states how long clients may cache it. */
  #stampOf(method: string, result: CallResult): ResultStamp {
    if (method !== 'resources/read') return this.#stamp;
    const isWhole = (memberOf(result, 'resultType') ?? 'complete') === 'complete';
    return isWhole ? this.#readStamp : this.#stamp;
  }
}
