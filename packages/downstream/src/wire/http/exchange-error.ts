import type { HttpTarget } from './http-connections.ts';

const ENDED = 'the server closed the connection before the end of its answer';
const CLOSED = 'the connections were closed';
const INVALID = 'the response is not valid HTTP';

/** Reasons in place of the texts of the HTTP client. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['UND_ERR_SOCKET: other side closed', ENDED],
  ['UND_ERR_SOCKET: closed', ENDED],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', `${INVALID}: its length is not the stated one`],
  ['ERR_ASSERTION', `${INVALID}: it is no answer to the request`],
  ['UND_ERR_CLOSED', CLOSED],
  ['UND_ERR_DESTROYED', CLOSED],
  ['UND_ERR_HEADERS_OVERFLOW', `${INVALID}: its head is too long`],
]);

/** The part of the text of a parser that says what is wrong: `Response does not match the HTTP/1.1 protocol (Invalid EOF state)`. */
const DETAIL = /\(([^)]*)\)$/u;

const knownReason = (code: string, { name, message }: Error, target: HttpTarget) => {
  if (name === 'HTTPParserError') {
    const detail = DETAIL.exec(message)?.[1] ?? message;
    return detail.startsWith('Invalid EOF') ? ENDED : `${INVALID}: ${detail}`;
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return `${target.url.host} does not accept a connection in time`;
  const reason = REASONS.get(code) ?? REASONS.get(`${code}: ${message}`);
  return code === 'UND_ERR_SOCKET' ? (reason ?? `${INVALID}: ${message}`) : reason;
};

/** Returns the error of a failed request without bytes of the server. Errors of the system and of TLS remain as they are. */
export const exchangeError = (error: Error, target: HttpTarget): Error => {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const reason = knownReason(code, error, target);
  return reason === undefined ? error : Object.assign(new Error(reason), { code });
};
