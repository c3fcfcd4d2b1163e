import { groupBy } from './group-by.ts';

/**
 * Matches what a normalised URI does not contain: percent-encoded octets, to be decoded or written in upper case, and characters
 * that a URI cannot contain. Brackets are among these: outside of IPv6 addresses, clients encode them or do not.
 */
const IRREGULAR = /%[0-9a-fA-F]{2}|[^\w.~:/?#@!$&'()*+,;={}-]/gu;

const UNRESERVED = /[\w.~-]/;

const LONE_SURROGATE = /^[\ud800-\udfff]$/u;

const normalizePiece = (piece: string): string => {
  if (LONE_SURROGATE.test(piece)) return '%EF%BF%BD';
  if (piece.length !== 3 || !piece.startsWith('%')) return encodeURIComponent(piece);
  const char = String.fromCharCode(Number.parseInt(piece.slice(1), 16));
  return UNRESERVED.test(char) ? char : piece.toUpperCase();
};

/** The scheme, user information and host of a URI. The case of the user information counts. */
const HEAD = /^([a-z][a-z0-9+.-]*:)(?:\/\/([^/?#@]*@)?([^/?#@]*))?/i;

const CAPITALS = /%[0-9A-F]{2}|[A-Z]/g;

const lower = (text: string): string =>
  text.replace(CAPITALS, (piece) => (piece.length === 1 ? piece.toLowerCase() : piece));

/** Only letters of ASCII have the case of schemes and hosts: `Ü` and `%C3%9C` stay the same. */
const lowerHead = (head: string, scheme: string, user = '', host?: string): string =>
  host === undefined ? lower(head) : `${lower(scheme)}//${user}${lower(host)}`;

/**
 * Returns the form that equivalent URIs, and IRIs, share: `FILE:///caf%c3%a9 1` and `file:///café%201` are the same. Braces stay, so that
 * a template takes this form too.
 * See RFC 3986, 6.2.2 and RFC 3987, 3.1.
 */
export const normalizeUri = (uri: string): string =>
  uri.replace(IRREGULAR, normalizePiece).replace(HEAD, lowerHead);

/**
 * Returns a look-up of items by URI. It finds the items of equivalent URIs too, behind the items of the exact text; otherwise the order
 * is that of the input.
 */
export function indexByUri<T>(
  items: readonly T[],
  readUri: (item: T) => string,
): (uri: string) => readonly T[] {
  const byUri = groupBy(items, (item) => [normalizeUri(readUri(item))]);
  return (uri) => {
    const found = byUri.get(normalizeUri(uri)) ?? [];
    if (found.length < 2) return found;
    const exact = found.filter((item) => readUri(item) === uri);
    return exact.length === 0 || exact.length === found.length
      ? found
      : [...exact, ...found.filter((item) => readUri(item) !== uri)];
  };
}
