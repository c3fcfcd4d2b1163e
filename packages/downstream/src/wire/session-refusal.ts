import { RPC_CODE } from '@gateway/call-contract';

/** The words of an answer without a result, and whether the request named a session. */
export interface RefusalFacts {
  /** HTTP status; absent for an answer in a body or stream that the server accepted. */
  readonly httpStatus?: number | undefined;
  /** Code of the JSON-RPC error; absent when the answer is none. */
  readonly rpcCode?: number | undefined;
  /** The words of the server. */
  readonly text: string;
  readonly hasSession: boolean;
  /** The answer named another session. */
  readonly namesOtherSession?: boolean | undefined;
}

/**
 * An answer that says that the server does not know the session. `certain`: it refused the request before it read it. `likely`: the
 * answer may concern the request alone, so another request must prove it. `possible`: no word is about the session, so every request must be
 * refused in the same way.
 */
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
const CREDENTIAL_STATUSES: ReadonlySet<number> = new Set([401, 403]);

/** Returns whether a status says that a request may succeed later as it is. */
export const isTemporary = (httpStatus: number): boolean =>
  httpStatus >= 500 || [408, 425, 429].includes(httpStatus);

/** Returns a text in lower case, without marks of HTML and with spaces between words. */
const plainWords = (text: string): string =>
  text
    .slice(0, MAX_READ_CHARS)
    .replace(/<(?:style|script)[^>]*>.*?<\/(?:style|script)>/gs, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[\s_\-:"'`{}[\](),]+/g, ' ')
    .trim();

/** Returns whether a text says that a session is unknown or that a handshake is missing. */
const saysRefusal = (text: string): boolean => {
  const words = plainWords(text);
  return !SAYS_OTHER.test(words) && (SAYS_SESSION.test(words) || SAYS_HANDSHAKE.test(words));
};

/** Returns how surely words about the session refuse it. Those with a refused credential may concern a sign-in. */
const refusalInWords = (httpStatus: number, hasSession: boolean): SessionRefusal | undefined => {
  if (CREDENTIAL_STATUSES.has(httpStatus)) return hasSession ? 'likely' : undefined;
  return httpStatus >= 400 && httpStatus < 500 ? 'certain' : 'likely';
};

/** Returns how surely an answer refuses the session when it says nothing about it. */
const refusalWithoutWords = (
  httpStatus: number,
  rpcCode: number | undefined,
): SessionRefusal | undefined => {
  if (isTemporary(httpStatus) || httpStatus === 401) return undefined;
  const isOfTransport = rpcCode === undefined || TRANSPORT_CODES.has(rpcCode);
  if (SILENT_STATUSES.has(httpStatus) && isOfTransport) return 'likely';
  return httpStatus >= 400 || rpcCode !== undefined ? 'possible' : undefined;
};

/** Returns whether an answer refuses the session, and how surely; `undefined` when it does not. */
export const sessionRefusal = (facts: RefusalFacts): SessionRefusal | undefined => {
  const { httpStatus = 200, rpcCode, text, hasSession } = facts;
  // The server has read the request.
  if (rpcCode === RPC_CODE.methodNotFound) return undefined;
  if (saysRefusal(text)) return refusalInWords(httpStatus, hasSession);
  if (facts.namesOtherSession === true) return 'likely';
  return hasSession ? refusalWithoutWords(httpStatus, rpcCode) : undefined;
};
