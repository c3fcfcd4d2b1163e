import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const MAX_BYTES = 4096;

/** Returns the fields of a form that a page sends; undefined when the body is not a form of at most 4 KiB. */
export const readForm = async (request: IncomingMessage): Promise<URLSearchParams | undefined> => {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded')) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
};

/** Returns whether a form comes from a page of the service at a URL; browsers name the origin of a form that is sent with POST. */
export const isOwnForm = (
  { headers }: Pick<IncomingMessage, 'headers'>,
  publicUrl: URL,
): boolean => {
  const { origin, 'sec-fetch-site': site } = headers;
  const isOwnOrigin = origin === undefined || origin === publicUrl.origin || origin === 'null';
  return isOwnOrigin && (site === undefined || site === 'same-origin');
};

/** Returns the value of a cookie; `undefined` when the browser sends none of this name. */
export const readCookie = (
  { headers }: Pick<IncomingMessage, 'headers'>,
  name: string,
): string | undefined => {
  const prefix = `${name}=`;
  const sent = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(prefix));
  return sent?.slice(prefix.length);
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns whether two texts exist and are equal. The comparison takes the same time for every text. */
export const isSameSecret = (sent: string | undefined, expected: string | undefined): boolean =>
  sent !== undefined && expected !== undefined && timingSafeEqual(digest(sent), digest(expected));
