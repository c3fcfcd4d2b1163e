import type { ServerResponse } from 'node:http';

/** The headers of responses that are data: shown as a page of their own, they run nothing and belong to no origin. */
export const DATA_SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

/** Returns the headers of the page of the web application. Scripts and styles run only from this origin or with the nonce of the page. */
export const createPageHeaders = (nonce: string): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    'media-src data:',
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'self'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
});

/**
 * The refusals of the backend: status, message, and the code that the client of agent-manager knows for such a refusal. The names
 * are in the header `x-portal-refusal`, which distinguishes them from refusals of the services.
 */
const PORTAL_REFUSALS = {
  'not-found': { status: 404, code: 'not_found', message: 'The portal has no such path.' },
  'method-not-allowed': {
    status: 405,
    code: 'invalid_request',
    message: 'The path does not accept this method.',
  },
  'foreign-host': {
    status: 403,
    code: 'forbidden',
    message: 'The portal does not serve this host. Name it with --public-url or --allowed-hosts.',
  },
  'signed-out': { status: 401, code: 'unauthenticated', message: 'Sign in first.' },
  'forged-request': {
    status: 403,
    code: 'forbidden',
    message: 'The request is not from a page of the portal.',
  },
  'too-many-requests': {
    status: 429,
    code: 'backend_error',
    message: 'Too many requests of this session are running.',
  },
  'no-agent-manager': {
    status: 404,
    code: 'not_found',
    message: 'The portal has no agent-manager.',
  },
  'gateway-unreachable': {
    status: 502,
    code: 'backend_error',
    message: 'The gateway did not answer.',
  },
  'agent-manager-unreachable': {
    status: 502,
    code: 'backend_error',
    message: 'agent-manager did not answer.',
  },
  'metrics-unreachable': {
    status: 502,
    code: 'backend_error',
    message: 'The metrics of the gateway did not answer.',
  },
  'provider-unavailable': {
    status: 503,
    code: 'backend_error',
    message: 'The service where users sign in did not answer.',
  },
  'store-unavailable': {
    status: 503,
    code: 'backend_error',
    message: 'The sessions of the portal are not available.',
  },
  failed: { status: 500, code: 'backend_error', message: 'The portal failed.' },
} as const satisfies Readonly<
  Record<string, { readonly status: number; readonly code: string; readonly message: string }>
>;

/** The name of a refusal. */
export type PortalRefusal = keyof typeof PORTAL_REFUSALS;

/** Answers with JSON that no cache stores. */
export const answerJson = (response: ServerResponse, status: number, body: unknown): void => {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...DATA_SECURITY_HEADERS,
  });
  response.end(text);
};

/** Answers with a refusal, as `{error: {code, message}}`. A response that has begun is ended. */
export const answerRefusal = (response: ServerResponse, name: PortalRefusal): void => {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, code, message } = PORTAL_REFUSALS[name];
  response.setHeader('x-portal-refusal', name);
  if (status === 429 || status === 503) response.setHeader('retry-after', '1');
  answerJson(response, status, { error: { code, message } });
};
