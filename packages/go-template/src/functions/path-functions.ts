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
const toBasePath = (path: string): string => {
  if (path === '') return '.';
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  if (end === 0) return '/';
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
};

const toDirPath = (path: string): string => cleanPath(path.slice(0, path.lastIndexOf('/') + 1));

/** Returns the ending of the last part of a path from its last dot on. */
const toExtension = (path: string): string => {
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
const decodeEscapes = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const encodePercent = (character: string): string =>
  Array.from(
    encodeUtf8(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');

const escapeText = (text: string, allowed: RegExp): string =>
  Array.from(text, (character) =>
    allowed.test(character) ? character : encodePercent(character),
  ).join('');

const USERINFO = /^[\w.~!$&'()*+,;=:%@-]*$/u;
const IN_USERINFO = /^[A-Za-z0-9\-_.~$&+,;=]$/u;

/** Returns a user and a password with the escapes that they need; nothing when they contain other characters. */
const formatUserinfo = (text: string): string | undefined => {
  if (!USERINFO.test(text)) return undefined;
  const at = text.indexOf(':');
  const parts = at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
  const written = parts.map((part) => {
    const plain = decodeEscapes(part);
    return plain === undefined ? undefined : escapeText(plain, IN_USERINFO);
  });
  return written.includes(undefined) ? undefined : written.join(':');
};

const IN_HOST = /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]$/u;

/** Returns a host without its escapes, which only the zone of an IPv6 address and characters beyond ASCII may have. */
const decodeHost = (text: string): string | undefined => {
  if (text.startsWith('[')) return decodeEscapes(text);
  return /%(?![89a-f])/iu.test(text) ? undefined : decodeEscapes(text);
};

interface Authority {
  readonly userinfo: string;
  readonly host: string;
}

const parseAuthority = (text: string): Authority | undefined => {
  const at = text.lastIndexOf('@');
  const host = decodeHost(text.slice(at + 1));
  const userinfo = formatUserinfo(text.slice(0, Math.max(0, at)));
  return host !== undefined && HOST.test(host) && userinfo !== undefined
    ? { userinfo, host }
    : undefined;
};

type Place = Pick<UrlParts, 'path' | 'opaque'>;

/** Returns the path, or the opaque part of a URL without slashes after its scheme. */
const findPlace = (rest: string, scheme: string, hasAuthority: boolean): Place | undefined => {
  if (hasAuthority || rest === '' || rest.startsWith('/')) return parsePath(rest);
  if (scheme !== '') return { path: '', opaque: rest };
  return COLON_FIRST.test(rest) ? undefined : parsePath(rest);
};

const parsePath = (rest: string): Place | undefined => {
  const path = decodeEscapes(rest);
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
const parseUrl = (text: string): UrlParts | undefined => {
  if (CONTROL.test(text)) return undefined;
  const { scheme, query, ...split } = splitAddress(text);
  const authority = parseAuthority(split.authority ?? '');
  const place = findPlace(split.rest, scheme, split.authority !== undefined);
  const fragment = decodeEscapes(split.heading);
  if (authority === undefined || place === undefined || fragment === undefined) return undefined;
  return { scheme, ...authority, ...place, query, fragment };
};

const parseHostName = (host: string): string => {
  const bracketed = /^\[([^\]]*)\]/u.exec(host);
  return bracketed?.[1] ?? host.replace(/:\d*$/u, '');
};

const IN_PATH = /^[A-Za-z0-9\-_.~$&+,/:;=@]$/u;
const IN_FRAGMENT = /^[A-Za-z0-9\-_.~$&+,/:;=@?!()*]$/u;

const hasAuthority = ({ scheme, userinfo, host, path }: UrlParts): boolean =>
  host !== '' || userinfo !== '' || (scheme !== '' && path !== '');

/** Returns the two slashes and what follows them up to the path. */
const formatAuthority = (parts: UrlParts): string => {
  if (!hasAuthority(parts)) return '';
  const { userinfo, host, path } = parts;
  const slash = host !== '' && path !== '' && !path.startsWith('/') ? '/' : '';
  return `//${userinfo === '' ? '' : `${userinfo}@`}${escapeText(host, IN_HOST)}${slash}`;
};

const formatHierarchy = (parts: UrlParts): string => {
  const { scheme, path } = parts;
  const authority = formatAuthority(parts);
  const written = escapeText(path, IN_PATH);
  const first = path.split('/')[0] ?? '';
  const hides = scheme === '' && authority === '' && first.includes(':');
  return authority + (hides ? './' : '') + written;
};

const joinUrl = (parts: UrlParts): string => {
  const { scheme, query, fragment, opaque } = parts;
  const start = scheme === '' ? '' : `${scheme}:`;
  const middle = opaque === '' ? formatHierarchy(parts) : opaque;
  const end = fragment === '' ? '' : `#${escapeText(fragment, IN_FRAGMENT)}`;
  return `${start}${middle}${query === '' ? '' : `?${query}`}${end}`;
};

const paths = createEntryFactory('Paths');
const addresses = createEntryFactory('Addresses');

const createPathFunction = (part: (path: string) => string): TemplateFunction =>
  withArguments([readTextArgument], ([path], context) =>
    makeWithinBudget(context, path.length, () => part(path)),
  );

const base = paths(createPathFunction(toBasePath), 'base path', 'The last part of a path.', [
  '{{ base "foo/bar/baz.txt" }}',
  'baz.txt',
]);
const dir = paths(createPathFunction(toDirPath), 'dir path', 'A path without its last part.', [
  '{{ dir "foo/bar/baz.txt" }}',
  'foo/bar',
]);
const clean = paths(
  createPathFunction(cleanPath),
  'clean path',
  'The shortest path to the same place.',
  ['{{ clean "foo/bar/../baz" }}', 'foo/baz'],
);
const ext = paths(
  createPathFunction(toExtension),
  'ext path',
  'The ending of a path from its last dot on.',
  ['{{ ext "foo/bar.tar.gz" }}', '.gz'],
);
const isAbs = paths(
  withArguments([readTextArgument], ([path]) => path.startsWith('/')),
  'isAbs path',
  'Whether a path starts at the root.',
  ['{{ isAbs "/foo" }}', 'true'],
);

const parse = (address: string): FunctionFailure | TemplateMap => {
  const parts = parseUrl(address);
  return parts === undefined
    ? new FunctionFailure(`cannot read the address ${JSON.stringify(address.slice(0, 200))}`)
    : { ...parts, hostname: parseHostName(parts.host) };
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
  const userinfo = formatUserinfo(parts.userinfo);
  return userinfo === undefined
    ? new FunctionFailure('"userinfo" has characters that must be escaped with %')
    : joinUrl({ ...parts, userinfo });
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
