import { HttpClientError } from './http-client-error.ts';

/** A request. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, as in a URL. */
  readonly path: string;
  /** Names and values in turn. A list that requests share is checked and written once. */
  readonly headers: readonly string[];
  readonly body?: string | undefined;
}

/** A `token` of RFC 9110 §5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
/** Characters that a field value must not have, RFC 9110 §5.5. */
const NO_VALUE = /[^\t\u0020-\u007e\u0080-\u00ff]/;
/** Characters that a request target must not have. */
const NO_TARGET = /[^\u0021-\u007e]/;

/** Headers that state the length of the message or belong to the connection. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Methods whose responses have no body whatever their head says. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['HEAD', 'CONNECT']);

const refuse = (problem: string): never => {
  throw new HttpClientError('invalid-request', problem);
};

const headerLine = (name: string, value: string): string => {
  if (!TOKEN.test(name)) refuse(`${JSON.stringify(name.slice(0, 80))} is not a header name`);
  if (OF_THE_CONNECTION.has(name.toLowerCase())) refuse(`header "${name}" cannot be set`);
  if (NO_VALUE.test(value)) refuse(`header "${name}" has a value that HTTP does not allow`);
  return `${name}: ${value}\r\n`;
};

/**
 * Returns the head of a request without its length and its last line, one byte per character.
 *
 * @param host value of the `Host` header, unless the request has one
 * @throws {HttpClientError} `invalid-request`
 */
export const requestHead = ({ method, path, headers }: HttpRequest, host: string): string => {
  if (!TOKEN.test(method)) refuse(`${JSON.stringify(method.slice(0, 80))} is not a method`);
  if (UNSUPPORTED.has(method.toUpperCase())) refuse(`the method ${method} is not supported`);
  if (path === '' || NO_TARGET.test(path))
    refuse('the path has a character that HTTP does not allow');
  let lines = '';
  let hasHost = false;
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? '';
    hasHost ||= name.toLowerCase() === 'host';
    lines += headerLine(name, headers[index + 1] ?? '');
  }
  const hostLine = hasHost ? '' : headerLine('host', host);
  return `${method} ${path} HTTP/1.1\r\n${hostLine}connection: keep-alive\r\n${lines}`;
};

/** Returns the heads of requests to one host. Requests with the list of headers, method and path of the one before have its head. */
export class RequestHeads {
  readonly #host: string;
  #last: HttpRequest | undefined;
  #head = '';

  /** @param host value of the `Host` header */
  constructor(host: string) {
    this.#host = host;
  }

  /** @throws {HttpClientError} `invalid-request` */
  of(request: HttpRequest): string {
    const last = this.#last;
    const isSame =
      last?.headers === request.headers &&
      last.method === request.method &&
      last.path === request.path;
    if (isSame) return this.#head;
    this.#head = requestHead(request, this.#host);
    this.#last = { ...request, body: undefined };
    return this.#head;
  }
}
