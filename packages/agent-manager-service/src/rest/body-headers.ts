import type { IncomingHttpHeaders } from 'node:http';

/** Returns whether the headers announce a body. RFC 9112 §6.3 */
export const announcesBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const JSON_TYPE = /^application\/json[\t ]*(?:;(.*))?$/iu;
const CHARSET = /^[\t ]*charset[\t ]*=[\t ]*(.*?)[\t ]*$/iu;

/** Returns whether the body is JSON in UTF-8 without content encoding. RFC 8259 §8.1 */
export function isPlainJson(headers: IncomingHttpHeaders): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const type = JSON_TYPE.exec(headers['content-type']?.trim() ?? '');
  if (type === null || encoding !== 'identity') return false;
  const charsets = (type[1] ?? '').split(';').flatMap((parameter) => {
    const [, charset] = CHARSET.exec(parameter) ?? [];
    return charset === undefined ? [] : [charset.toLowerCase()];
  });
  return charsets.every((charset) => /^"?utf-?8"?$/u.test(charset));
}
