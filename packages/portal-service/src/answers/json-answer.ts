import type { ServerResponse } from 'node:http';

/** The refusals of the backend. Their codes and texts are part of its interface to the web application. */
export const PORTAL_REFUSALS = {
  'not-found': { status: 404, message: 'The portal has no such path.' },
  'method-not-allowed': { status: 405, message: 'The path does not accept this method.' },
  'signed-out': { status: 401, message: 'Sign in first.' },
  'forged-request': { status: 403, message: 'The request is not from a page of the portal.' },
  'no-agent-manager': { status: 404, message: 'The portal has no agent-manager.' },
  unreachable: { status: 502, message: 'The service did not answer.' },
  'store-unavailable': { status: 503, message: 'The sessions of the portal are not available.' },
} as const;

/** The code of a refusal. */
export type PortalRefusal = keyof typeof PORTAL_REFUSALS;

/** Answers with JSON that no cache stores. */
export const answerJson = (response: ServerResponse, status: number, body: unknown): void => {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
};

/** Answers with a refusal, as `{error: {code, message}}`. */
export const answerRefusal = (response: ServerResponse, code: PortalRefusal): void => {
  const { status, message } = PORTAL_REFUSALS[code];
  answerJson(response, status, { error: { code, message } });
};
