/** The parts of an address, as Go names them. Path and fragment are decoded, the others as written. */
export interface UrlParts {
  readonly scheme: string;
  readonly userinfo: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
  /** What follows the scheme when no slash does: `mailto:` and the like. */
  readonly opaque: string;
}

const SPLIT =
  /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/su;

// eslint-disable-next-line no-control-regex -- control characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/u;

/** A text with its escapes `%41` resolved; nothing when one is broken or they are not UTF-8. */
const unescaped = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const authorityOf = (text: string): readonly [userinfo: string, host: string] => {
  const at = text.lastIndexOf('@');
  return at < 0 ? ['', text] : [text.slice(0, at), text.slice(at + 1)];
};

/** A host with an optional port of digits; IPv6 in brackets. */
const HOST = /^(?:\[[^\]]*\]|[^\s:[\]<>"]*)(?::\d*)?$/u;

/** Reads an address or a relative reference; nothing when it is none. RFC 3986. */
export const urlParts = (text: string): UrlParts | undefined => {
  const match = CONTROL.test(text) ? null : SPLIT.exec(text);
  if (match === null) return undefined;
  const [, scheme = '', authority = '', rest = '', query = '', fragment = ''] = match;
  const [userinfo, host] = authorityOf(authority);
  const opaque = scheme !== '' && match[2] === undefined && rest !== '' && !rest.startsWith('/');
  const path = unescaped(rest);
  const heading = unescaped(fragment);
  if (path === undefined || heading === undefined || !HOST.test(host)) return undefined;
  // Without a scheme, a colon in the first part of a path would be read as one.
  if (scheme === '' && match[2] === undefined && /^[^/]*:/u.test(rest)) return undefined;
  return {
    scheme: scheme.toLowerCase(),
    userinfo,
    host,
    path: opaque ? '' : path,
    query,
    fragment: heading,
    opaque: opaque ? rest : '',
  };
};

/** The name of a host without port and brackets. */
export const hostName = (host: string): string => {
  const bracketed = /^\[([^\]]*)\]/u.exec(host);
  return bracketed?.[1] ?? host.replace(/:\d*$/u, '');
};

const utf8 = new TextEncoder();

const percentBytes = (character: string): string =>
  Array.from(
    utf8.encode(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');

const escaped = (text: string, allowed: RegExp): string =>
  Array.from(text, (character) =>
    allowed.test(character) ? character : percentBytes(character),
  ).join('');

const IN_PATH = /^[A-Za-z0-9\-_.~$&+,/:;=@]$/u;
const IN_FRAGMENT = /^[A-Za-z0-9\-_.~$&+,/:;=@?!()*]$/u;

/** Whether two slashes lead to a host, or to a path that would be read as one. */
const authorityText = ({ scheme, userinfo, host, path }: UrlParts): string => {
  if (scheme === '' && userinfo === '' && host === '') return '';
  if (host === '' && userinfo === '' && path === '') return '';
  const user = userinfo === '' ? '' : `${userinfo}@`;
  return `//${user}${host}${path !== '' && !path.startsWith('/') && host !== '' ? '/' : ''}`;
};

const hierarchy = (parts: UrlParts): string => {
  const { scheme, path } = parts;
  const authority = authorityText(parts);
  const written = escaped(path, IN_PATH);
  const first = path.split('/')[0] ?? '';
  const hides = scheme === '' && authority === '' && first.includes(':');
  return authority + (hides ? './' : '') + written;
};

/** The address that has these parts. */
export const joinedUrl = (parts: UrlParts): string => {
  const { scheme, query, fragment, opaque } = parts;
  const start = scheme === '' ? '' : `${scheme}:`;
  const middle = opaque === '' ? hierarchy(parts) : opaque;
  const end = fragment === '' ? '' : `#${escaped(fragment, IN_FRAGMENT)}`;
  return `${start}${middle}${query === '' ? '' : `?${query}`}${end}`;
};
