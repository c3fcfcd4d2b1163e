import { isJsonObject, RPC_CODE, type RpcError } from '@gateway/call-contract';
import {
  UnsupportedProtocolVersionError,
  type classifyInboundRequest,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server';
import { decodedHeader } from './mirrored-text.ts';
import { MODERN_REVISIONS } from './protocol-results.ts';
import { quoted } from './refusal.ts';
import { singleHeader, type HeaderReader } from './request-headers.ts';

/** A request or notification that carries the envelope of 2026-07-28. */
export type ModernRoute = Extract<ReturnType<typeof classifyInboundRequest>, { kind: 'modern' }>;

const MIRRORED_HEADERS = {
  protocolVersionHeader: 'mcp-protocol-version',
  mcpMethodHeader: 'mcp-method',
  mcpNameHeader: 'mcp-name',
} as const;

/** The headers that mirror dependencies of the body, as the SDK's classification receives them. */
export const mirroredHeaders = (
  header: HeaderReader,
): Partial<Record<keyof typeof MIRRORED_HEADERS, string>> =>
  Object.fromEntries(
    Object.entries(MIRRORED_HEADERS).flatMap(([key, name]) => {
      const values = header(name);
      return values === undefined ? [] : [[key, values.join(', ')]];
    }),
  );

const mismatch = (header: string, body: string): RpcError => ({
  code: RPC_CODE.headerMismatch,
  message: `Bad Request: the request headers and body disagree: ${body}`,
  data: { mismatch: { header, body } },
});

const MISSING = '(missing)';
/**
 * Validates what the SDK's classification leaves to its own entry: the revision and the mirrored headers. @returns the error of
 * the request, for HTTP 400
 */
export const refuseModernRequest = (
  route: ModernRoute,
  header: HeaderReader,
): RpcError | undefined => {
  const { revision } = route.classification;
  if (revision === undefined || !MODERN_REVISIONS.includes(revision)) {
    const requested = revision ?? 'unknown';
    const supported = [...MODERN_REVISIONS];
    const { code, message, data } = new UnsupportedProtocolVersionError({ supported, requested });
    return { code, message, data };
  }
  if (route.messageKind !== 'request') return undefined;
  if (header('mcp-protocol-version') === undefined) {
    return mismatch(MISSING, 'the required MCP-Protocol-Version header is absent');
  }
  if (header('mcp-method') === undefined) {
    return mismatch(MISSING, 'the required Mcp-Method header is absent');
  }
  return refuseName(route.message, header);
};

/** The parameter that the `Mcp-Name` header mirrors, by method. */
export const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

const refuseName = (request: JSONRPCRequest, header: HeaderReader): RpcError | undefined => {
  const member = NAMED_BY.get(request.method);
  if (member === undefined) return undefined;
  const name = isJsonObject(request.params) ? request.params[member] : undefined;
  // A body without a name is answered by the check of the parameters.
  if (typeof name !== 'string') return undefined;
  if (header('mcp-name') === undefined) {
    return mismatch(MISSING, 'the required Mcp-Name header is absent');
  }
  const value = singleHeader(header, 'mcp-name') ?? '';
  const decoded = decodedHeader(value);
  if (decoded === undefined) return mismatch(value, 'the Mcp-Name header is not valid Base64');
  if (decoded !== name) {
    return mismatch(value, `the body names ${quoted(name)} but the Mcp-Name header does not`);
  }
  return undefined;
};
