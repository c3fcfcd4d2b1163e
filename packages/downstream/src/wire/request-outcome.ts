import { RPC_CODE, isJsonObject, type JsonObject } from '@gateway/call-contract';
import { formatJsonProblem, parseJson, RawObject, isInputRequired } from '@gateway/mcp-wire';

export interface RefusalFacts {
  /** HTTP status; absent for an answer in a body or stream that the server accepted. */
  readonly httpStatus?: number | undefined;
  /** Code of the JSON-RPC error; absent when the answer is none. */
  readonly rpcCode?: number | undefined;
  readonly text: string;
  readonly hasSession: boolean;
  readonly namesOtherSession?: boolean | undefined;
}

/** How surely an answer refuses the session. `likely`: another request must prove it. `possible`: every request must be refused in the same way. */
export type SessionRefusal = 'certain' | 'likely' | 'possible';

/** Longer texts are pages of a proxy; their beginning says what happened. */
const MAX_READ_CHARS = 4_000;

const GONE =
  'not found|not (?:yet )?(?:known|valid|exist|recogni[sz]ed|active|available|present|provided|set|initiali[sz]ed)|unknown|invalid|missing|required|expired|(?:does not|doesn.t|did not|no longer) \\w+|terminated|closed|ended|gone|lost|stale|inactive|timed out|deleted|destroyed|removed|revoked|must be';
const BEFORE =
  'no|not found|unknown|invalid|missing|without|expired|stale|bad|unrecogni[sz]ed|unregistered|inactive|terminated|closed|requires?|needs?|lacks?|(?:could|can) ?not find|(?:valid|active|existing)';
/** `session`, `session id`, `Mcp-Session-Id header`, `sessionId`. */
const SESSION = '(?:mcp )?session(?: ?ids?)?(?: header| parameter)?';
/** Up to this much text may stand between the session and what is wrong with it, such as its id. */
const GAP = '[^.;]{0,60}?';

const SAYS_SESSION = new RegExp(
  `\\b(?:${BEFORE})\\b[^.;]{0,24}?\\b${SESSION}\\b|\\b${SESSION}\\b${GAP}\\b(?:${GONE})\\b`,
);
/** The server waits for the handshake, or for the first message of a session. */
const SAYS_HANDSHAKE =
  /^(?:bad request |invalid request |error )*not (?:yet )?initiali[sz]ed|\b(?:server|session|connection|client|transport|protocol|mcp)\b[^.;]{0,24}\b(?:not|never|isn.t) (?:yet |been )*initiali[sz]ed|\bbefore (?:the )?initiali[sz]|\buninitiali[sz]ed (?:session|connection|server|client)|\b(?:expect(?:s|ed|ing)?|requires?|must|send|call|need(?:s|ed)?|please)\b[^.;]{0,40}\b(?:re ?)?initiali[sz]e\b|\binitiali[sz]e\b[^.;]{0,30}\b(?:first|expected|required)\b|\bnot an? initiali[sz]e request/;
/** Refusals in which the session is known, or is one of a user. */
const SAYS_OTHER =
  /\b(?:too many|maximum|limit|already|log ?in|login|logged|sign(?:ed)? ?in|tool|prompt|resource|browser|database|chat|user|terminal|shell)\b/;

/** HTTP statuses with which servers refuse a session without a word. */
const SILENT_STATUSES: ReadonlySet<number> = new Set([400, 404, 409, 410, 412, 422, 440]);
/** Codes that servers use for their transport; any other one is about the request. */
const TRANSPORT_CODES: ReadonlySet<number> = new Set([
  RPC_CODE.transport,
  RPC_CODE.sessionNotFound,
  RPC_CODE.invalidRequest,
]);
/** HTTP status of a server that requires another credential. */
export const UNAUTHORIZED = 401;
const CREDENTIAL_STATUSES: ReadonlySet<number> = new Set([UNAUTHORIZED, 403]);

/** Returns whether a status says that a request may succeed later as it is. */
export const isTemporary = (httpStatus: number): boolean =>
  httpStatus >= 500 || [408, 425, 429].includes(httpStatus);

/** Returns a text in lower case, without marks of HTML and with spaces between words. */
const toPlainWords = (text: string): string =>
  text
    .slice(0, MAX_READ_CHARS)
    .replace(/<(?:style|script)[^>]*>.*?<\/(?:style|script)>/gs, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[\s_\-:"'`{}[\](),]+/g, ' ')
    .trim();

const hasRefusalWords = (text: string): boolean => {
  const words = toPlainWords(text);
  return !SAYS_OTHER.test(words) && (SAYS_SESSION.test(words) || SAYS_HANDSHAKE.test(words));
};

/** Returns how surely words about the session refuse it. Those with a refused credential may concern a sign-in. */
const resolveWordRefusal = (
  httpStatus: number,
  hasSession: boolean,
): SessionRefusal | undefined => {
  if (CREDENTIAL_STATUSES.has(httpStatus)) return hasSession ? 'likely' : undefined;
  return httpStatus >= 400 && httpStatus < 500 ? 'certain' : 'likely';
};

const resolveSilentRefusal = (
  httpStatus: number,
  rpcCode: number | undefined,
): SessionRefusal | undefined => {
  if (isTemporary(httpStatus) || httpStatus === UNAUTHORIZED) return undefined;
  const isOfTransport = rpcCode === undefined || TRANSPORT_CODES.has(rpcCode);
  if (SILENT_STATUSES.has(httpStatus) && isOfTransport) return 'likely';
  return httpStatus >= 400 || rpcCode !== undefined ? 'possible' : undefined;
};

export const findSessionRefusal = (facts: RefusalFacts): SessionRefusal | undefined => {
  const { httpStatus = 200, rpcCode, text, hasSession } = facts;
  // The server has read the request.
  if (rpcCode === RPC_CODE.methodNotFound) return undefined;
  if (hasRefusalWords(text)) return resolveWordRefusal(httpStatus, hasSession);
  if (facts.namesOtherSession === true) return 'likely';
  return hasSession ? resolveSilentRefusal(httpStatus, rpcCode) : undefined;
};

export type RequestFailure =
  | {
      readonly kind: 'refused';
      readonly rpcCode: number;
      readonly message: string;
      readonly data?: unknown;
      /** HTTP status of the answer, unless the server accepted the request. */
      readonly httpStatus?: number;
      readonly namesOtherSession?: boolean;
    }
  | { readonly kind: 'timeout'; readonly timeoutMs: number }
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'lost';
      readonly reason: string;
      /** HTTP status of the answer, when the server gave one instead of a message. */
      readonly httpStatus?: number;
      /** The words of the server in place of a message, which may be long and contain secrets. */
      readonly text?: string;
      readonly namesOtherSession?: boolean;
    }
  | {
      readonly kind: 'session-refused';
      readonly answer: Extract<RequestFailure, { readonly kind: 'refused' | 'lost' | 'invalid' }>;
      readonly how: SessionRefusal;
      /** The server sent messages for the request before, so it may have processed a part of it. */
      readonly mayBeProcessed: boolean;
    }
  /** The caller has no credential for the server, or the server refused it before it processed the request. */
  | { readonly kind: 'unauthorized'; readonly reason: string }
  | { readonly kind: 'invalid'; readonly reason: string; readonly text?: string }
  /** Not a result: the server requires input first (2026-07-28). */
  | {
      readonly kind: 'input-required';
      readonly result: RawObject;
      readonly required: JsonObject;
    }
  /** The server required input and did not receive it. */
  | { readonly kind: 'not-given'; readonly reason: string };

/** The reason of a request without a result, whose server requires input that no client can give. */
export const INPUT_REQUIRED = 'the server requires input, which this request cannot provide';

type SessionRefused = Extract<RequestFailure, { readonly kind: 'session-refused' }>;

export const formatSessionAnswer = ({ answer }: Pick<SessionRefused, 'answer'>): string => {
  if (answer.kind === 'refused') return answer.message;
  const text = answer.text?.trim() ?? '';
  return text === '' ? answer.reason : `${answer.reason}: ${text}`;
};

export const formatSessionReason = (failure: SessionRefused): string =>
  `${
    failure.how === 'possible'
      ? 'the server refuses every request of the session'
      : 'the server does not know the session any more'
  }, and ${
    failure.mayBeProcessed
      ? 'may have processed a part of the request'
      : 'the request was not processed'
  }: ${formatSessionAnswer(failure)}`;

export type RequestOutcome =
  | { readonly ok: true; readonly result: RawObject }
  | { readonly ok: false; readonly failure: RequestFailure };

export const createFailure = (failure: RequestFailure): RequestOutcome => ({ ok: false, failure });

const createInvalidOutcome = (reason: string): RequestOutcome =>
  createFailure({ kind: 'invalid', reason });

/** Returns a JSON-RPC code. Some servers write it as a text, or leave it out. */
const toRpcCode = (code: unknown): number => {
  const number = typeof code === 'string' && code.trim() !== '' ? Number(code) : code;
  return Number.isSafeInteger(number) ? (number as number) : RPC_CODE.internal;
};

/** Reads the `error` of an answer: an object, or its message alone. */
const readRefusal = (error: unknown, method: string): RequestFailure => {
  if (typeof error === 'string')
    return { kind: 'refused', rpcCode: RPC_CODE.internal, message: error };
  if (!isJsonObject(error))
    return {
      kind: 'invalid',
      reason: `${method} was answered with an "error" that is not an object`,
    };
  const { code, message } = error;
  return {
    kind: 'refused',
    rpcCode: toRpcCode(code),
    message: typeof message === 'string' ? message : 'the error has no "message"',
    ...(Object.hasOwn(error, 'data') ? { data: error['data'] } : {}),
  };
};

/** The requests whose result is empty, so that any success says the same. */
const EMPTY_RESULTS: ReadonlySet<string> = new Set([
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);

const EMPTY_RESULT = RawObject.at(Buffer.from('{}'), {
  from: 0,
  to: 2,
  name: '',
  nameFrom: 0,
  names: 0,
  values: 1,
  length: 0,
}) as RawObject;

const handleWrongResult = (result: unknown, method: string): RequestOutcome => {
  if (EMPTY_RESULTS.has(method)) return { ok: true, result: EMPTY_RESULT };
  if (result === undefined)
    return createInvalidOutcome(`${method} was answered without "result" and without "error"`);
  const problem = result === null ? '"result": null' : 'a "result" that is not an object';
  return createInvalidOutcome(`${method} was answered with ${problem}`);
};

/** Maximum size of the `_meta` of a result, which the gateway reads and adds to. */
const MAX_META_BYTES = 64 * 1024;
const MAX_META_MEMBERS = 1_000;

const validateMeta = ({ slice }: RawObject): string | undefined => {
  const meta = slice.members?.['_meta'];
  if (meta === undefined) return undefined;
  const bytes = meta.to - meta.from;
  if (bytes > MAX_META_BYTES)
    return `its _meta has ${bytes} bytes, more than the ${MAX_META_BYTES} allowed`;
  return meta.names > MAX_META_MEMBERS
    ? `its _meta has ${meta.names} members, more than the ${MAX_META_MEMBERS} allowed`
    : undefined;
};

/** The members of results that servers write as `null` when they have none, and what that means. Clients refuse a result with them. */
const NULL_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['_meta', '{}'],
  ['isError', 'false'],
  ['content', '[]'],
  ['contents', '[]'],
  ['messages', '[]'],
  ['description', '""'],
]);

const NULL_LENGTH = 4;

const withoutNulls = (result: RawObject): RawObject => {
  let changed = result;
  for (const [name, empty] of NULL_MEMBERS) {
    const member = result.slice.members?.[name];
    // The length first: the text of a large member is not decoded.
    if (member !== undefined && member.to - member.from === NULL_LENGTH)
      if (result.member(name) === 'null') changed = changed.with({ [name]: empty });
  }
  return changed;
};

const toRawOutcome = (sent: RawObject): RequestOutcome => {
  const problem = validateMeta(sent);
  if (problem !== undefined) return createInvalidOutcome(problem);
  const result = withoutNulls(sent);
  // A request for input, which is no result. MCP 2026-07-28, multi round-trip requests.
  if (!isInputRequired(result)) return { ok: true, result };
  const parsed = result.parse();
  return parsed.ok
    ? createFailure({ kind: 'input-required', result, required: parsed.value })
    : createInvalidOutcome(
        `its input request cannot be read: ${formatJsonProblem(parsed.problem)}`,
      );
};

/** Reads the answer to a request. The result is returned unchanged. `"error": null` counts as absent. */
export const readOutcome = (
  answer: Readonly<Record<string, unknown>>,
  method: string,
): RequestOutcome => {
  const error = Object.hasOwn(answer, 'error') ? answer['error'] : undefined;
  if (error !== undefined && error !== null) return createFailure(readRefusal(error, method));
  const result = answer['result'];
  return result instanceof RawObject ? toRawOutcome(result) : handleWrongResult(result, method);
};

/** Returns the refusal in the text of an HTTP answer that is a JSON-RPC error. */
export const parseBodyRefusal = (
  text: unknown,
  httpStatus?: number,
): RequestFailure | undefined => {
  if (typeof text !== 'string') return undefined;
  const parsed = parseJson(text);
  const body = parsed.ok ? parsed.value : undefined;
  if (!isJsonObject(body) || !isJsonObject(body['error'])) return undefined;
  const { code, message } = body['error'];
  if (code === undefined && message === undefined) return undefined;
  const failure = readRefusal(body['error'], '');
  return failure.kind === 'refused' && httpStatus !== undefined
    ? { ...failure, httpStatus }
    : failure;
};
