import type { OutgoingHttpHeaders } from 'node:http';

/** Characters that JSON permits in a string, and YAML 1.1 refuses or reads as the end of a line. */
const NOT_IN_YAML = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Returns a body as JSON that is also YAML: the API parses an apply as YAML. */
export const bodyText = (body: unknown): string =>
  JSON.stringify(body).replace(NOT_IN_YAML, escaped);

/** Returns the headers of a body; none without a body. */
export const bodyHeaders = (text: string | undefined, contentType: string): OutgoingHttpHeaders =>
  text === undefined
    ? {}
    : { 'content-type': contentType, 'content-length': Buffer.byteLength(text) };
