import { RESERVED_HEADER_NAMES } from '../wire/http/reserved-header-names.ts';

/** The reserved names, and names that could make one server appear as another. */
const REFUSED_NAMES: ReadonlySet<string> = new Set([
  ...RESERVED_HEADER_NAMES,
  'forwarded',
  'host',
  'te',
  'trailer',
]);
const REFUSED_PREFIXES = ['proxy-', 'sec-', 'x-forwarded-'];

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/;
const MAX_HEADERS = 128;

const problemOf = ([name, value]: readonly [string, string]): string | undefined => {
  if (!NAME.test(name)) return 'a header has no valid name';
  const lower = name.toLowerCase();
  if (REFUSED_NAMES.has(lower) || REFUSED_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    return `the header ${lower} must not be set`;
  }
  return VALUE.test(value) ? undefined : `the value of the header ${lower} is not valid`;
};

/** Returns why these headers must not be sent, without their values; `undefined` when they are valid. RFC 9110 §5 */
export const headersProblem = (headers: Readonly<Record<string, string>>): string | undefined => {
  const lines = Object.entries(headers);
  if (lines.length > MAX_HEADERS) return `there are more than ${MAX_HEADERS} headers`;
  return lines.map(problemOf).find((problem) => problem !== undefined);
};
