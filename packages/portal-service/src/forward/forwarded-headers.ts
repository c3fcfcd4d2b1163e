import { TOOLSET_HEADER } from '@gateway/toolset-grammar';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { DATA_SECURITY_HEADERS } from '../answers.ts';

/** The headers of a browser's request that reach the service. Cookies and origins of the browser do not. */
const REQUEST_HEADERS = [
  'accept',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'traceparent',
  'tracestate',
  'x-gateway-expose',
  TOOLSET_HEADER.toLowerCase(),
];

/** The headers of a service's response that reach the browser. */
const RESPONSE_HEADERS = ['content-type', 'mcp-session-id', 'retry-after', 'x-request-id'] as const;

const MCP_PARAMETER = 'mcp-param-';

/** Returns the headers of the request to the service. */
export const requestHeaders = (
  headers: IncomingHttpHeaders,
  token: string | undefined,
): Record<string, string | string[]> => {
  const sent: Record<string, string | string[]> = {};
  for (const name of requestHeaderNames(headers)) {
    const value = headers[name];
    if (value !== undefined) sent[name] = value;
  }
  if (token !== undefined) sent['authorization'] = `Bearer ${token}`;
  return sent;
};

const requestHeaderNames = (headers: IncomingHttpHeaders): readonly string[] => [
  ...REQUEST_HEADERS,
  ...Object.keys(headers).filter((name) => name.startsWith(MCP_PARAMETER)),
];

/** Returns the headers of the response to the browser. */
export const createResponseHeaders = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[]> => {
  const sent: Record<string, string | string[]> = {
    'cache-control': 'no-store',
    ...DATA_SECURITY_HEADERS,
  };
  for (const name of RESPONSE_HEADERS) {
    const value = headers[name];
    if (value !== undefined) sent[name] = value;
  }
  return sent;
};

const FORWARDED_FOR = 'x-forwarded-for';
/** Receivers read the last addresses. */
const MAX_ADDRESSES = 1_000;

/** Returns the header that names the browser after the proxies in front of the portal. A service reads it where it trusts the portal. */
export const createForwardedHeader = ({
  headers,
  socket,
}: Pick<IncomingMessage, 'headers' | 'socket'>): Record<string, string> => {
  const before = headers[FORWARDED_FOR]?.toString().slice(-MAX_ADDRESSES);
  const addresses = [before, socket.remoteAddress].filter((one) => one !== undefined);
  return addresses.length === 0 ? {} : { [FORWARDED_FOR]: addresses.join(', ') };
};
