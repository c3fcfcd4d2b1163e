import {
  FunctionFailure,
  type FunctionContext,
  type TemplateFunction,
} from '../../values/template-value.ts';
import { map, withArguments, text } from '../definition/arguments.ts';
import { makeWithinBudget, tooLarge } from '../definition/budget.ts';
import { entryIn, sameAs, type FunctionEntries } from '../definition/function-entry.ts';
import { ownValue, type TemplateMap } from '../../values/template-map.ts';
import { basePath, cleanPath, dirPath, pathExtension } from './slash-path.ts';
import { hostName, joinedUrl, urlParts, type UrlParts, writtenUserinfo } from './url-parts.ts';

const paths = entryIn('Paths');
const addresses = entryIn('Addresses');

const ofPath = (part: (path: string) => string): TemplateFunction =>
  withArguments([text], ([path], context) =>
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
  withArguments([text], ([path]) => path.startsWith('/')),
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
    const value = ownValue(given, name) ?? '';
    if (typeof value !== 'string') return new FunctionFailure(`"${name}" must be a string`);
    if (!context.spend(UNITS_PER_ESCAPED * LONGEST_ESCAPE * value.length)) return tooLarge();
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
  osBase: sameAs(base, 'base', 'osBase'),
  osDir: sameAs(dir, 'dir', 'osDir'),
  osClean: sameAs(clean, 'clean', 'osClean'),
  osExt: sameAs(ext, 'ext', 'osExt'),
  osIsAbs: sameAs(isAbs, 'isAbs', 'osIsAbs'),
  urlParse: addresses(
    withArguments([text], ([address], context) =>
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
