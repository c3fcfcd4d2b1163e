import type { CallResult } from '@gateway/call-contract';
import { memberOf } from '@gateway/mcp-wire';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { McpService, ServiceAnswer } from '../protocol/mcp-service.ts';
import { cacheableResultStamp, resultStamp } from '../protocol/protocol-results.ts';
import type { ScopedRequest } from '../protocol/request-scope.ts';
import type { SettledResponse } from '../protocol/response-sink.ts';
import {
  errorResponse,
  INTERNAL_ERROR,
  refusalResponse,
  resultResponse,
} from '../protocol/responses.ts';
import { resultJson, withObjectContent, type ResultStamp } from '../protocol/result-text.ts';

/** The dependencies of {@link AnswerWriter}. */
export interface AnswerWriterDependencies {
  readonly service: McpService;
  readonly limits: Pick<McpHttpLimits, 'resourceTtlMs'>;
  readonly onError: (error: unknown) => void;
}

/** Writes the answers of a service as responses of the revision that a request has. */
export class AnswerWriter {
  readonly #onError: (error: unknown) => void;
  readonly #stamp: ResultStamp;
  readonly #readStamp: ResultStamp;

  constructor({ service, limits, onError }: AnswerWriterDependencies) {
    this.#onError = onError;
    this.#stamp = resultStamp(service);
    this.#readStamp = cacheableResultStamp(service, limits.resourceTtlMs);
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
