import type { Caller } from '@gateway/call-contract';
import type { RequestOptions } from './call.ts';
import type { RequestConnection } from './request-connection.ts';
import { provideInput } from './input-rounds.ts';
import type { OutgoingRequest } from './outgoing-requests.ts';
import type { RequestOutcome } from '../wire/request-outcome.ts';

/** The requests that a server may answer with an input request. MCP 2026-07-28. */
const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** Returns the parameters with the caller's answers to an earlier input request. */
const inputParams = ({
  inputResponses,
  requestState,
}: RequestOptions): OutgoingRequest['params'] => ({
  ...(inputResponses === undefined ? {} : { inputResponses }),
  ...(requestState === undefined ? {} : { requestState }),
});

const withInput = (request: OutgoingRequest): OutgoingRequest => {
  const { options } = request;
  if (options?.inputResponses === undefined && options?.requestState === undefined) return request;
  return { ...request, params: { ...request.params, ...inputParams(options) } };
};

/** Returns whether the caller can answer requests of the server in the 2025 revisions. */
const canBeAsked = (caller: Caller | undefined): caller is Caller =>
  caller !== undefined && Object.keys(caller.capabilities).length > 0;

/**
 * Sends a request. When a 2026-07-28 server requires input, a caller that supports `input_required` receives the result unchanged; for any
 * other caller the gateway collects the input.
 */
export const requestWithInput = (
  connection: Pick<RequestConnection, 'era' | 'request'>,
  request: OutgoingRequest,
): Promise<RequestOutcome> =>
  connection.era === 'modern'
    ? requestOfModernServer(connection, request)
    : connection.request(request);

const requestOfModernServer = async (
  connection: Pick<RequestConnection, 'request'>,
  request: OutgoingRequest,
): Promise<RequestOutcome> => {
  const startedAt = performance.now();
  const outcome = await connection.request(withInput(request));
  if (outcome.ok || outcome.failure.kind !== 'input-required') return outcome;
  const caller = request.options?.caller;
  if (!MAY_ASK.has(request.method)) return outcome;
  if (caller?.takesInputRequired === true) return { ok: true, result: outcome.failure.sent };
  if (!canBeAsked(caller)) return outcome;
  return provideInput(outcome.failure.result, {
    caller,
    signal: request.options?.signal,
    timeoutMs: request.timeoutMs,
    startedAt,
    again: (input, timeoutMs) =>
      connection.request({ ...request, params: { ...request.params, ...input }, timeoutMs }),
  });
};
