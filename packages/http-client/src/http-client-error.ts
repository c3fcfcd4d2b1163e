/** The reason of a failed request that is not an error of the operating system or of TLS. */
export type HttpClientErrorCode =
  /** The request has a method, path, header or length that HTTP does not allow. */
  | 'invalid-request'
  /** No connection within the time for the handshake. */
  | 'connect-timeout'
  /** The connection ended before the response was complete. */
  | 'connection-ended'
  /** The response is not valid HTTP/1.1, or its head is too long. */
  | 'invalid-response'
  /** The pool was closed. */
  | 'pool-closed';

/** A failed request. Messages contain no header values and no text of the server. */
export class HttpClientError extends Error {
  readonly code: HttpClientErrorCode;

  constructor(code: HttpClientErrorCode, message: string) {
    super(message);
    this.name = 'HttpClientError';
    this.code = code;
  }
}

/** Returns the error of a response that is not valid HTTP. */
export const invalidResponse = (problem: string): HttpClientError =>
  new HttpClientError('invalid-response', `the response is not valid HTTP: ${problem}`);
