import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import type { McpService } from './mcp-service.ts';
import type { HeaderReader } from './request-headers.ts';

/** Returns the headers of a request that decide what it may do, as plain data for another process. */
export const scopeHeadersOf = (
  { scopeHeaders = [] }: Pick<McpService, 'scopeHeaders'>,
  header: HeaderReader,
): JsonObject =>
  Object.fromEntries(
    scopeHeaders.flatMap((name) => {
      const lines = header(name);
      return lines === undefined ? [] : [[name, lines]];
    }),
  );

/** Returns a reader of the headers that another process has sent; `undefined` for any other data. */
export const scopeHeaderReader = (scope: unknown): HeaderReader | undefined => {
  if (!isJsonObject(scope) || !Object.values(scope).every(isLines)) return undefined;
  return (name) => (Object.hasOwn(scope, name) ? (scope[name] as readonly string[]) : undefined);
};

const isLines = (value: unknown): boolean =>
  Array.isArray(value) && value.every((line) => typeof line === 'string');
