import { bytesOf } from '../../values/utf8.ts';

/** The parts of a URL, with the names of Go. Path and fragment are decoded, the others are as written. */
export interface UrlParts {
  readonly scheme: string;
  readonly userinfo: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
  /** The part after the scheme of a URL without slashes, such as `mailto:`. */
  readonly opaque: string;
}

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/u;
/** The part after the scheme. Matches every text. RFC 3986 appendix B. */
const REST = /^(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/su;
const CONTROL = /[\0-\u001f\u007f]/u;
/** A host with an optional port of digits; IPv6 in brackets. */
const HOST = /^(?:\[[^\]]*\]|[^\s:[\]<>"]*)(?::\d*)?$/u;
/** Without a scheme, a colon in the first part of a path would end one. */
const COLON_FIRST = /^[^/]*:/u;

/** Returns a text with its escapes `%41` resolved; nothing when one is broken or they are not UTF-8. */
const unescaped = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const percentBytes = (character: string): string =>
  Array.from(
    bytesOf(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');

const escaped = (text: string, allowed: RegExp): string =>
  Array.from(text, (character) =>
    allowed.test(character) ? character : percentBytes(character),
  ).join('');

const USERINFO = /^[\w.~!$&'()*+,;=:%@-]*$/u;
const IN_USERINFO = /^[A-Za-z0-9\-_.~$&+,;=]$/u;

/** Returns a user and a password with the escapes that they need; nothing when they contain other characters. */
export const writtenUserinfo = (text: string): string | undefined => {
  if (!USERINFO.test(text)) return undefined;
  const at = text.indexOf(':');
  const parts = at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
  const written = parts.map((part) => {
    const plain = unescaped(part);
    return plain === undefined ? undefined : escaped(plain, IN_USERINFO);
  });
  return written.includes(undefined) ? undefined : written.join(':');
};

const IN_HOST = /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]$/u;

/** Returns a host without its escapes, which only the zone of an IPv6 address and characters beyond ASCII may have. */
const decodedHost = (text: string): string | undefined => {
  if (text.startsWith('[')) return unescaped(text);
  return /%(?![89a-f])/iu.test(text) ? undefined : unescaped(text);
};

interface Authority {
  readonly userinfo: string;
  readonly host: string;
}

const authorityOf = (text: string): Authority | undefined => {
  const at = text.lastIndexOf('@');
  const host = decodedHost(text.slice(at + 1));
  const userinfo = writtenUserinfo(text.slice(0, Math.max(0, at)));
  return host !== undefined && HOST.test(host) && userinfo !== undefined
    ? { userinfo, host }
    : undefined;
};

type Place = Pick<UrlParts, 'path' | 'opaque'>;

/** Returns the path, or the opaque part of a URL without slashes after its scheme. */
const placeOf = (rest: string, scheme: string, hasAuthority: boolean): Place | undefined => {
  if (hasAuthority || rest === '' || rest.startsWith('/')) return pathOf(rest);
  if (scheme !== '') return { path: '', opaque: rest };
  return COLON_FIRST.test(rest) ? undefined : pathOf(rest);
};

const pathOf = (rest: string): Place | undefined => {
  const path = unescaped(rest);
  return path === undefined ? undefined : { path, opaque: '' };
};

interface SplitAddress {
  readonly scheme: string;
  /** Absent without the two slashes. */
  readonly authority: string | undefined;
  readonly rest: string;
  readonly query: string;
  readonly heading: string;
}

const splitAddress = (text: string): SplitAddress => {
  const scheme = SCHEME.exec(text)?.[1] ?? '';
  const match = REST.exec(scheme === '' ? text : text.slice(scheme.length + 1));
  const [, authority, rest = '', query = '', heading = ''] = match ?? [];
  return { scheme: scheme.toLowerCase(), authority, rest, query, heading };
};

/** Reads an address or a relative reference; nothing when it is none. RFC 3986. */
export const urlParts = (text: string): UrlParts | undefined => {
  if (CONTROL.test(text)) return undefined;
  const { scheme, query, ...split } = splitAddress(text);
  const authority = authorityOf(split.authority ?? '');
  const place = placeOf(split.rest, scheme, split.authority !== undefined);
  const fragment = unescaped(split.heading);
  if (authority === undefined || place === undefined || fragment === undefined) return undefined;
  return { scheme, ...authority, ...place, query, fragment };
};

/** Returns the name of a host without port and brackets. */
export const hostName = (host: string): string => {
  const bracketed = /^\[([^\]]*)\]/u.exec(host);
  return bracketed?.[1] ?? host.replace(/:\d*$/u, '');
};

const IN_PATH = /^[A-Za-z0-9\-_.~$&+,/:;=@]$/u;
const IN_FRAGMENT = /^[A-Za-z0-9\-_.~$&+,/:;=@?!()*]$/u;

const hasAuthority = ({ scheme, userinfo, host, path }: UrlParts): boolean =>
  host !== '' || userinfo !== '' || (scheme !== '' && path !== '');

/** Returns the two slashes and what follows them up to the path. */
const authorityText = (parts: UrlParts): string => {
  if (!hasAuthority(parts)) return '';
  const { userinfo, host, path } = parts;
  const slash = host !== '' && path !== '' && !path.startsWith('/') ? '/' : '';
  return `//${userinfo === '' ? '' : `${userinfo}@`}${escaped(host, IN_HOST)}${slash}`;
};

const hierarchy = (parts: UrlParts): string => {
  const { scheme, path } = parts;
  const authority = authorityText(parts);
  const written = escaped(path, IN_PATH);
  const first = path.split('/')[0] ?? '';
  const hides = scheme === '' && authority === '' && first.includes(':');
  return authority + (hides ? './' : '') + written;
};

/** Returns the address that has these parts. */
export const joinedUrl = (parts: UrlParts): string => {
  const { scheme, query, fragment, opaque } = parts;
  const start = scheme === '' ? '' : `${scheme}:`;
  const middle = opaque === '' ? hierarchy(parts) : opaque;
  const end = fragment === '' ? '' : `#${escaped(fragment, IN_FRAGMENT)}`;
  return `${start}${middle}${query === '' ? '' : `?${query}`}${end}`;
};
