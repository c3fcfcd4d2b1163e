import { METHOD_HEADER, NAME_HEADER, REVISION_HEADER, SESSION_HEADER } from '@gateway/mcp-wire';
import type { IncomingMessage } from 'node:http';
import { type JsonObject, isJsonObject } from '@gateway/call-contract';

/** Reads a request header by lower-case name: the values of its lines in order, `undefined` when absent. */
export type HeaderReader = (name: string) => readonly string[] | undefined;

/**
 * Returns a reader of the raw header lines. Node joins repeated lines and drops some of them in `headers`; only `rawHeaders`
 * separates the lines.
 */
export const createHeaderReader =
  (request: Pick<IncomingMessage, 'rawHeaders'>): HeaderReader =>
  (name) => {
    const { rawHeaders } = request;
    let values: string[] | undefined;
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      const line = rawHeaders[at];
      if (line?.length === name.length && line.toLowerCase() === name) {
        (values ??= []).push(rawHeaders[at + 1] ?? '');
      }
    }
    return values;
  };

/** The value of a header that has exactly one line. */
export const findSingleHeader = (header: HeaderReader, name: string): string | undefined => {
  const values = header(name);
  return values?.length === 1 ? values[0] : undefined;
};

/** The lines of one header: absent, one value, or the values in order. */
export type HeaderValue = string | readonly string[] | undefined;

/** The values of a header as one text; absent header: `undefined`. */
export const joinValues = (value: HeaderValue, separator = ', '): string | undefined =>
  typeof value === 'object' ? value.join(separator) : value;

const addLine = (value: HeaderValue, line: string): HeaderValue => {
  if (value === undefined) return line;
  return typeof value === 'string' ? [value, line] : [...value, line];
};

/** The headers that the endpoint itself reads, found in one pass over the lines. */
export class KnownHeaders {
  host: HeaderValue;
  origin: HeaderValue;
  accept: HeaderValue;
  contentType: HeaderValue;
  contentEncoding: HeaderValue;
  sessionId: HeaderValue;
  protocolVersion: HeaderValue;
  mcpMethod: HeaderValue;
  mcpName: HeaderValue;

  constructor({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>) {
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      const name = rawHeaders[at] ?? '';
      const member = findMember(name);
      if (member !== undefined) this[member] = addLine(this[member], rawHeaders[at + 1] ?? '');
    }
  }
}

type Member = Exclude<keyof KnownHeaders, 'constructor'>;

const MEMBERS: Readonly<Record<string, Member>> = {
  host: 'host',
  origin: 'origin',
  accept: 'accept',
  'content-type': 'contentType',
  'content-encoding': 'contentEncoding',
  [SESSION_HEADER]: 'sessionId',
  [REVISION_HEADER]: 'protocolVersion',
  [METHOD_HEADER]: 'mcpMethod',
  [NAME_HEADER]: 'mcpName',
};

/** The known header names in lower case, by length: nearly all other headers differ by their length alone. */
const BY_LENGTH: readonly (readonly (readonly [name: string, member: Member])[] | undefined)[] =
  Array.from({ length: 1 + Math.max(...Object.keys(MEMBERS).map(({ length }) => length)) }).map(
    (_, length) => {
      const named = Object.entries(MEMBERS).filter(([name]) => name.length === length);
      return named.length === 0 ? undefined : named;
    },
  );

const findMember = (name: string): Member | undefined => {
  const named = BY_LENGTH[name.length];
  if (named === undefined) return undefined;
  for (const [known, member] of named) if (name === known) return member;
  const lower = name.toLowerCase();
  for (const [known, member] of named) if (lower === known) return member;
  return undefined;
};

/** Returns the headers of a request that decide what it may do, as plain data for another process. */
export const readScopeHeaders = (
  { scopeHeaders: names = [] }: { readonly scopeHeaders?: readonly string[] },
  header: HeaderReader,
): JsonObject =>
  Object.fromEntries(
    names.flatMap((name) => {
      const lines = header(name);
      return lines === undefined ? [] : [[name, lines]];
    }),
  );

/** Returns a reader of the headers that another process has sent; `undefined` for any other data. */
export const parseScopeHeaders = (scope: unknown): HeaderReader | undefined => {
  if (!isJsonObject(scope) || !Object.values(scope).every(isLines)) return undefined;
  return (name) => (Object.hasOwn(scope, name) ? (scope[name] as readonly string[]) : undefined);
};

const isLines = (value: unknown): boolean =>
  Array.isArray(value) && value.every((line) => typeof line === 'string');
