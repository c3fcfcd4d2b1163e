import { INPUT_METHODS } from '@gateway/mcp-wire';
import {
  computeBackoffDelay,
  type Caller,
  type ClientAnswer,
  isJsonObject,
  type JsonObject,
  raceLimit,
  readOwnField,
  RPC_CODE,
} from '@gateway/call-contract';
import { setTimeout as pause } from 'node:timers/promises';
import { createFailure, type RequestOutcome } from '../wire/request-outcome.ts';
import type { OutgoingRequest, RequestConnection } from './outgoing-requests.ts';

export interface ServerMessage {
  readonly method: string;
  readonly params: JsonObject;
}

/** Returns the required sub-capability that is not declared, by the parameters of the request. */
const findElicitationNeed = (declared: JsonObject, params: JsonObject): string | undefined => {
  // A client without declared modes supports forms, as in the revisions before modes.
  const forms =
    isJsonObject(readOwnField(declared, 'form')) || !isJsonObject(readOwnField(declared, 'url'));
  const mode = readOwnField(params, 'mode') ?? 'form';
  if (mode === 'form') return forms ? undefined : 'elicitation.form';
  if (mode === 'url' && isJsonObject(readOwnField(declared, 'url'))) return undefined;
  return mode === 'url' ? 'elicitation.url' : 'elicitation.(unknown mode)';
};

const findSamplingNeed = (declared: JsonObject, params: JsonObject): string | undefined => {
  const usesTools =
    readOwnField(params, 'tools') !== undefined || readOwnField(params, 'toolChoice') !== undefined;
  return usesTools && !isJsonObject(readOwnField(declared, 'tools')) ? 'sampling.tools' : undefined;
};

interface Kind {
  readonly capability: string;
  readonly needs: (declared: JsonObject, params: JsonObject) => string | undefined;
}

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['sampling/createMessage', { capability: 'sampling', needs: findSamplingNeed }],
  ['elicitation/create', { capability: 'elicitation', needs: findElicitationNeed }],
  ['roots/list', { capability: 'roots', needs: () => undefined }],
]);

export const isServerRequest = (method: string): boolean => KINDS.has(method);

/** Returns the capability that a caller lacks for a request, as a path (`sampling.tools`); `undefined` when it lacks none. */
export const findMissingCapability = (
  capabilities: Caller['capabilities'],
  { method, params }: ServerMessage,
): string | undefined => {
  const kind = KINDS.get(method);
  if (kind === undefined) return method;
  const declared = readOwnField(capabilities, kind.capability);
  return isJsonObject(declared) ? kind.needs(declared, params) : kind.capability;
};

/** Returns the request without the server's progress token, and without an `includeContext` that the caller does not support, which a client may ignore. */
export const toCallerRequest = (
  capabilities: Caller['capabilities'],
  { method, params }: ServerMessage,
): ServerMessage => {
  const { _meta: meta, includeContext, ...rest } = params;
  const sampling = readOwnField(capabilities, 'sampling');
  const keepsContext =
    method !== 'sampling/createMessage' ||
    includeContext === 'none' ||
    (isJsonObject(sampling) && isJsonObject(readOwnField(sampling, 'context')));
  const { progressToken: _token, ...keptMeta } = isJsonObject(meta) ? meta : {};
  return {
    method,
    params: {
      ...rest,
      ...(includeContext !== undefined && keepsContext ? { includeContext } : {}),
      ...(Object.keys(keptMeta).length > 0 ? { _meta: keptMeta } : {}),
    },
  };
};

interface InputRequired {
  /** The requests by the names that the server chose; none when the server only requires a retry. */
  readonly questions: readonly (readonly [string, ServerMessage])[];
  /** Returned to the server unchanged; `undefined` when it sent none. */
  readonly requestState: string | undefined;
}

/** Maximum number of requests per result; the next result may contain more. */
const MAX_QUESTIONS = 32;

const parseQuestion = (entry: unknown): ServerMessage | undefined => {
  if (!isJsonObject(entry)) return undefined;
  const { method, params = {} } = entry;
  return typeof method === 'string' && isServerRequest(method) && isJsonObject(params)
    ? { method, params }
    : undefined;
};

const parseQuestions = (requests: unknown): InputRequired['questions'] | undefined => {
  if (requests === undefined) return [];
  if (!isJsonObject(requests)) return undefined;
  const entries = Object.entries(requests);
  if (entries.length > MAX_QUESTIONS) return undefined;
  const questions: (readonly [string, ServerMessage])[] = [];
  for (const [name, entry] of entries) {
    const question = parseQuestion(entry);
    if (question === undefined) return undefined;
    questions.push([name, question]);
  }
  return questions;
};

/** Parses an `input_required` result; `undefined` when it contains no request, an unknown request or too many. */
const parseInputRequired = ({
  inputRequests,
  requestState: state,
}: JsonObject): InputRequired | undefined => {
  const questions = parseQuestions(inputRequests);
  if (questions === undefined || (state !== undefined && typeof state !== 'string'))
    return undefined;
  if (questions.length === 0 && state === undefined) return undefined;
  return { questions, requestState: state };
};

const MAX_ROUNDS = 10;
/** The pauses before retries that a server requires without input. */
const PAUSES = { firstMs: 250, maxMs: 5_000 };

const refuse = (reason: string): RequestOutcome => createFailure({ kind: 'invalid', reason });

type Answers =
  | { readonly ok: true; readonly responses: JsonObject }
  | { readonly ok: false; readonly outcome: RequestOutcome };

const refuseInput = (method: string, reason: string): Answers => ({
  ok: false,
  outcome: createFailure({ kind: 'not-given', reason: `${method}: ${reason}` }),
});

const NO_ANSWER: ClientAnswer = {
  ok: false,
  error: { code: RPC_CODE.internal, message: 'the client did not answer' },
};

const askOne = (
  caller: Caller,
  question: ServerMessage,
  signal: AbortSignal,
): Promise<ClientAnswer> =>
  caller.ask(toCallerRequest(caller.capabilities, question), { signal }).catch(() => NO_ANSWER);

const collectAnswers = async (
  { questions }: InputRequired,
  caller: Caller,
  signal: AbortSignal,
): Promise<Answers> => {
  for (const [, question] of questions) {
    const needs = findMissingCapability(caller.capabilities, question);
    if (needs !== undefined)
      return refuseInput(question.method, `the client does not declare the capability ${needs}`);
  }
  const answers = await Promise.all(
    questions.map(async ([name, question]) => ({
      name,
      question,
      answer: await askOne(caller, question, signal),
    })),
  );
  const responses: [string, unknown][] = [];
  for (const { name, question, answer } of answers) {
    if (!answer.ok) return refuseInput(question.method, answer.error.message);
    responses.push([name, answer.result]);
  }
  return { ok: true, responses: Object.fromEntries(responses) };
};

const createInputParams = (
  inputResponses: JsonObject | undefined,
  requestState: string | undefined,
): JsonObject => ({
  ...(inputResponses === undefined ? {} : { inputResponses }),
  ...(requestState === undefined ? {} : { requestState }),
});

interface Interrupted {
  readonly connection: Pick<RequestConnection, 'request'>;
  readonly request: OutgoingRequest;
  readonly caller: Caller;
  /** Time of the first sending, by `performance.now()`. */
  readonly startedAt: number;
  /** The time of the request bounds all rounds and the time of the caller. */
  readonly limitMs: number;
}

const runRounds = async (
  { connection, request, caller, startedAt, limitMs }: Interrupted,
  first: JsonObject,
  signal: AbortSignal,
): Promise<RequestOutcome> => {
  // The timeout of the whole request, in place of the timeout of its last round.
  const over = (): RequestOutcome =>
    createFailure(
      request.options?.signal?.aborted === true
        ? { kind: 'cancelled' }
        : { kind: 'timeout', timeoutMs: limitMs },
    );
  let asked = 0;
  let retries = 0;
  let result = first;
  for (;;) {
    const required = parseInputRequired(result);
    if (required === undefined) return refuse('the input request of the server is not valid');
    const { questions, requestState } = required;
    let responses: JsonObject | undefined;
    if (questions.length > 0) {
      asked += 1;
      if (asked > MAX_ROUNDS)
        return refuse(`the server still requires input after ${MAX_ROUNDS} rounds`);
      const answers = await raceLimit(
        collectAnswers(required, caller, signal),
        { signal },
        (): Answers => ({ ok: false, outcome: over() }),
      );
      if (!answers.ok) return answers.outcome;
      responses = answers.responses;
    } else {
      await pause(computeBackoffDelay(retries, PAUSES), undefined, { signal }).catch(
        () => undefined,
      );
      if (signal.aborted) return over();
      retries += 1;
    }
    const params = { ...request.params, ...createInputParams(responses, requestState) };
    const maxTimeoutMs = Math.max(1, startedAt + limitMs - performance.now());
    const timeoutMs = Math.min(request.timeoutMs, maxTimeoutMs);
    const outcome = await connection.request({ ...request, params, timeoutMs, maxTimeoutMs });
    if (outcome.ok) return outcome;
    if (outcome.failure.kind === 'timeout') return over();
    if (outcome.failure.kind !== 'input-required') return outcome;
    result = outcome.failure.required;
  }
};

/** Provides the input that a 2026-07-28 server requires, round by round, within the timeout of the original request. */
const provideInput = async (
  interrupted: Interrupted,
  first: JsonObject,
): Promise<RequestOutcome> => {
  const { request, startedAt, limitMs } = interrupted;
  const end = new AbortController();
  const leftMs = Math.max(0, startedAt + limitMs - performance.now());
  const timer = setTimeout(() => end.abort(), leftMs);
  const signals = [end.signal, request.options?.signal].filter((one) => one !== undefined);
  try {
    return await runRounds(interrupted, first, AbortSignal.any(signals));
  } finally {
    clearTimeout(timer);
    // Cancels the requests to the caller that are still open.
    end.abort();
  }
};

const withCallerInput = (request: OutgoingRequest): OutgoingRequest => {
  const { inputResponses, requestState } = request.options ?? {};
  if (inputResponses === undefined && requestState === undefined) return request;
  const params = { ...request.params, ...createInputParams(inputResponses, requestState) };
  return { ...request, params };
};

/** When a 2026-07-28 server requires input, a caller that supports `input_required` receives the result unchanged; for others the gateway collects the input. */
export const requestWithInput = async (
  connection: Pick<RequestConnection, 'request'>,
  request: OutgoingRequest,
): Promise<RequestOutcome> => {
  const startedAt = performance.now();
  const outcome = await connection.request(withCallerInput(request));
  if (outcome.ok || outcome.failure.kind !== 'input-required') return outcome;
  const caller = request.options?.caller;
  if (!INPUT_METHODS.has(request.method) || caller === undefined) return outcome;
  if (caller.takesInputRequired) return { ok: true, result: outcome.failure.result };
  // In the 2025 revisions a caller without capabilities answers no request of a server.
  if (Object.keys(caller.capabilities).length === 0) return outcome;
  const limitMs = request.maxTimeoutMs ?? request.timeoutMs;
  return provideInput(
    { connection, request, caller, startedAt, limitMs },
    outcome.failure.required,
  );
};
