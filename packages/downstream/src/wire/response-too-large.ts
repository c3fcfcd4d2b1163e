/** Thrown when a message of a server exceeds its bound. */
export class ResponseTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`a message is larger than ${maxBytes} bytes`);
    this.name = 'ResponseTooLargeError';
  }
}
