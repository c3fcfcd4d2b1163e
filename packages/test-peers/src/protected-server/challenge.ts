import type { ServerResponse } from 'node:http';

/** A refusal of a request. */
export interface Challenge {
  readonly status: 401 | 403;
  /** The parameters of the challenge, such as `error` and `scope`. */
  readonly parameters: Readonly<Record<string, string>>;
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** Sends a 401 or 403 with `WWW-Authenticate: Bearer` (RFC 6750). */
export const sendChallenge = (
  response: ServerResponse,
  { status, parameters }: Challenge,
): void => {
  const list = Object.entries(parameters).map(([name, value]) => `${name}=${quoted(value)}`);
  response.setHeader('www-authenticate', ['Bearer', list.join(', ')].join(' ').trim());
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: parameters['error'] ?? 'unauthorized' }));
};
