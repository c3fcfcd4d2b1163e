import { invalidResponse } from './http-client-error.ts';

/** How the end of a body is found, RFC 9112 §6.3. */
export type BodyFraming =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  /** The body ends with the connection. */
  | { readonly kind: 'connection' };

/** The head of a response. */
export interface ResponseHead {
  readonly status: number;
  /** Returns the first header of this lower-case name. */
  readonly header: (name: string) => string | undefined;
  readonly framing: BodyFraming;
  /** The connection can carry another request. */
  readonly isPersistent: boolean;
  /** Time for which the server keeps the unused connection, in milliseconds, if it states one. */
  readonly keepAliveMs: number | undefined;
}

/** Controls other than tab, and line ends of other kinds than CRLF. */
const FORBIDDEN = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]|\r(?!\n)|(?<!\r)\n/;
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: .*)?$/;
const NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
/** Headers that find the end of the body. */
const FRAMING = /^(?:content-length|transfer-encoding):/i;
/** A length that is exact as a number. */
const LENGTH = /^\d{1,15}$/;

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** Returns the text without the blanks of RFC 9110 §5.6.3 around it: `trim` removes other characters, for example U+00A0. */
const withoutBlanks = (text: string): string => {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (from < to && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
};

type Fields = ReadonlyMap<string, readonly string[]>;

/** Appends a line to the value before it, RFC 9112 §5.2. */
const unfolded = (lines: readonly string[]): readonly string[] => {
  const whole: string[] = [];
  for (const line of lines) {
    const isFolded = line.startsWith(' ') || line.startsWith('\t');
    const last = whole.length - 1;
    const before = whole[last];
    if (!isFolded || before === undefined) whole.push(line);
    else if (FRAMING.test(before)) throw invalidResponse('its length is on several lines');
    else whole[last] = `${before} ${withoutBlanks(line)}`;
  }
  return whole;
};

/**
 * Returns the lower-case name and the value of a line.
 *
 * @throws {HttpClientError} `invalid-response`
 */
export const fieldOf = (line: string): readonly [name: string, value: string] => {
  if (FORBIDDEN.test(line))
    throw invalidResponse('a header line has a character that HTTP does not allow');
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0));
  if (!NAME.test(name)) throw invalidResponse('a header line has no name');
  return [name.toLowerCase(), withoutBlanks(line.slice(colon + 1))];
};

const fieldsOf = (lines: readonly string[]): Fields => {
  const fields = new Map<string, string[]>();
  for (const line of unfolded(lines)) {
    const [name, value] = fieldOf(line);
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  return fields;
};

const listOf = (fields: Fields, name: string): readonly string[] =>
  (fields.get(name) ?? [])
    .flatMap((value) => value.split(','))
    .map((item) => withoutBlanks(item).toLowerCase());

const lengthOf = (values: readonly string[]): BodyFraming => {
  const [only = '', ...others] = values;
  if (others.length > 0 || !LENGTH.test(only))
    throw invalidResponse('its length is not one number');
  return { kind: 'length', bytes: Number(only) };
};

/**
 * Returns whether the body is chunked. A second statement of the length is refused, because another reader of the connection could use it.
 * RFC 9112 §6.1
 */
const isChunked = (minor: string, fields: Fields): boolean => {
  if (!fields.has('transfer-encoding')) return false;
  const codings = listOf(fields, 'transfer-encoding').join();
  if (codings !== 'chunked' || minor === '0' || fields.has('content-length'))
    throw invalidResponse('its transfer coding is not "chunked" alone');
  return true;
};

const hasNoBody = (status: number): boolean => status < 200 || status === 204 || status === 304;

const framingOf = (status: number, minor: string, fields: Fields): BodyFraming => {
  const chunked = isChunked(minor, fields);
  const lengths = fields.get('content-length');
  const length = lengths === undefined ? undefined : lengthOf(lengths);
  if (hasNoBody(status)) return { kind: 'none' };
  return chunked ? { kind: 'chunked' } : (length ?? { kind: 'connection' });
};

const isPersistent = (minor: string, fields: Fields, framing: BodyFraming): boolean => {
  if (framing.kind === 'connection') return false;
  const options = listOf(fields, 'connection');
  return minor === '1' ? !options.includes('close') : options.includes('keep-alive');
};

/** The `timeout` of a `Keep-Alive` header, in seconds. */
const KEEP_ALIVE = /(?:^|[,;\s])timeout=(\d{1,6})(?:$|[,;\s])/i;

const keepAliveMsOf = (fields: Fields): number | undefined => {
  const [, seconds] = KEEP_ALIVE.exec(fields.get('keep-alive')?.[0] ?? '') ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
};

/**
 * Parses the head of a response, without its last empty line, one byte per character.
 *
 * @throws {HttpClientError} `invalid-response`
 */
export const parseResponseHead = (text: string): ResponseHead => {
  if (FORBIDDEN.test(text))
    throw invalidResponse('its head has a character that HTTP does not allow');
  const [first = '', ...lines] = text.split('\r\n');
  const [, minor = '', digits = ''] = STATUS_LINE.exec(first) ?? [];
  if (digits === '') throw invalidResponse('it has no status line');
  const status = Number(digits);
  const fields = fieldsOf(lines);
  const framing = framingOf(status, minor, fields);
  return {
    status,
    header: (name) => fields.get(name)?.[0],
    framing,
    isPersistent: isPersistent(minor, fields, framing),
    keepAliveMs: keepAliveMsOf(fields),
  };
};
