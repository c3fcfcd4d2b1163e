import { encodeUtf8 } from '../values/utf8.ts';
import {
  type FunctionContext,
  FunctionFailure,
  findOwnValue,
  type TemplateFunction,
  type TemplateMap,
} from '../values/template-value.ts';
import {
  createEntryFactory,
  type FunctionEntries,
  makeWithinBudget,
  map,
  createAlias,
  readTextArgument,
  createBudgetFailure,
  withArguments,
} from './definition.ts';

/** Returns the shortest equivalent path: no `.`, no `..` that can be resolved, no doubled or trailing slash. */
const cleanPath = (path: string): string => {
  const rooted = path.startsWith('/');
  const segments: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') segments.push(part);
    else if (segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else if (!rooted) segments.push(part);
  }
  const joined = segments.join('/');
  if (rooted) return `/${joined}`;
  return joined === '' ? '.' : joined;
};

/** Returns the last part of a path, without slashes behind it. */
const basePath = (path: string): string => {
  if (path === '') return '.';
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  if (end === 0) return '/';
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
};

const dirPath = (path: string): string => cleanPath(path.slice(0, path.lastIndexOf('/') + 1));

/** Returns the ending of the last part of a path from its last dot on. */
const pathExtension = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
};

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
    encodeUtf8(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');

const escaped = (text: string, allowed: RegExp): string =>
  Array.from(text, (character) =>
    allowed.test(character) ? character : percentBytes(character),
  ).join('');

const USERINFO = /^[\w.~!$&'()*+,;=:%@-]*$/u;
const IN_USERINFO = /^[A-Za-z0-9\-_.~$&+,;=]$/u;

/** Returns a user and a password with the escapes that they need; nothing when they contain other characters. */
const writtenUserinfo = (text: string): string | undefined => {
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
const findPlace = (rest: string, scheme: string, hasAuthority: boolean): Place | undefined => {
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
const urlParts = (text: string): UrlParts | undefined => {
  if (CONTROL.test(text)) return undefined;
  const { scheme, query, ...split } = splitAddress(text);
  const authority = authorityOf(split.authority ?? '');
  const place = findPlace(split.rest, scheme, split.authority !== undefined);
  const fragment = unescaped(split.heading);
  if (authority === undefined || place === undefined || fragment === undefined) return undefined;
  return { scheme, ...authority, ...place, query, fragment };
};

const hostName = (host: string): string => {
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

const joinedUrl = (parts: UrlParts): string => {
  const { scheme, query, fragment, opaque } = parts;
  const start = scheme === '' ? '' : `${scheme}:`;
  const middle = opaque === '' ? hierarchy(parts) : opaque;
  const end = fragment === '' ? '' : `#${escaped(fragment, IN_FRAGMENT)}`;
  return `${start}${middle}${query === '' ? '' : `?${query}`}${end}`;
};

const paths = createEntryFactory('Paths');
const addresses = createEntryFactory('Addresses');

const ofPath = (part: (path: string) => string): TemplateFunction =>
  withArguments([readTextArgument], ([path], context) =>
    makeWithinBudget(context, path.length, () => part(path)),
  );

const base = paths(ofPath(basePath), 'base path', 'The last part of a path.', [
  '{{ base "foo/bar/baz.txt" }}',
  'baz.txt',
]);
const dir = paths(ofPath(dirPath), 'dir path', 'A path without its last part.', [
  '{{ dir "foo/bar/baz.txt" }}',
  'foo/bar',
]);
const clean = paths(ofPath(cleanPath), 'clean path', 'The shortest path to the same place.', [
  '{{ clean "foo/bar/../baz" }}',
  'foo/baz',
]);
const ext = paths(ofPath(pathExtension), 'ext path', 'The ending of a path from its last dot on.', [
  '{{ ext "foo/bar.tar.gz" }}',
  '.gz',
]);
const isAbs = paths(
  withArguments([readTextArgument], ([path]) => path.startsWith('/')),
  'isAbs path',
  'Whether a path starts at the root.',
  ['{{ isAbs "/foo" }}', 'true'],
);

const parse = (address: string): FunctionFailure | TemplateMap => {
  const parts = urlParts(address);
  return parts === undefined
    ? new FunctionFailure(`cannot read the address ${JSON.stringify(address.slice(0, 200))}`)
    : { ...parts, hostname: hostName(parts.host) };
};

/** Escaping costs more than copying the result. */
const UNITS_PER_ESCAPED = 4;

const NO_PARTS: UrlParts = {
  scheme: '',
  userinfo: '',
  host: '',
  path: '',
  query: '',
  fragment: '',
  opaque: '',
};
const PART_NAMES = Object.keys(NO_PARTS) as (keyof UrlParts)[];

/** The characters that one character becomes at most: three bytes with an escape each. */
const LONGEST_ESCAPE = 9;

const join = (
  [given]: readonly [TemplateMap],
  context: FunctionContext,
): string | FunctionFailure => {
  const parts: { -readonly [Name in keyof UrlParts]: string } = { ...NO_PARTS };
  for (const name of PART_NAMES) {
    const value = findOwnValue(given, name) ?? '';
    if (typeof value !== 'string') return new FunctionFailure(`"${name}" must be a string`);
    if (!context.spend(UNITS_PER_ESCAPED * LONGEST_ESCAPE * value.length))
      return createBudgetFailure();
    parts[name] = value;
  }
  const userinfo = writtenUserinfo(parts.userinfo);
  return userinfo === undefined
    ? new FunctionFailure('"userinfo" has characters that must be escaped with %')
    : joinedUrl({ ...parts, userinfo });
};

/** Functions on slash-separated paths and URLs. They read texts, never files or the network. */
export const pathFunctions = {
  base,
  dir,
  clean,
  ext,
  isAbs,
  osBase: createAlias(base, 'base', 'osBase'),
  osDir: createAlias(dir, 'dir', 'osDir'),
  osClean: createAlias(clean, 'clean', 'osClean'),
  osExt: createAlias(ext, 'ext', 'osExt'),
  osIsAbs: createAlias(isAbs, 'isAbs', 'osIsAbs'),
  urlParse: addresses(
    withArguments([readTextArgument], ([address], context) =>
      makeWithinBudget(context, 2 * address.length, () => parse(address)),
    ),
    'urlParse address',
    'The parts of an address as a map: `scheme`, `userinfo`, `host`, `hostname`, `path`, `query`, `fragment`, `opaque`.',
    [
      '{{ $url := urlParse "http://host:80/path?query" }}{{ $url.host }} {{ $url.path }}',
      'host:80 /path',
    ],
  ),
  urlJoin: addresses(withArguments([map], join), 'urlJoin parts', 'The address with these parts.', [
    '{{ urlJoin (dict "scheme" "https" "host" "host:80" "path" "/a b") }}',
    'https://host:80/a%20b',
  ]),
} satisfies FunctionEntries;
