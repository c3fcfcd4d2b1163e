import type { IncomingMessage } from 'node:http';
import { defineServer } from './servers.ts';
import { startRawHttp } from './raw-http.ts';
import type { Intercept, RawHttp, RawHttpOptions } from './raw-http.ts';

/** A server that accepts the tokens of a set only. */
export interface ProtectedHttp extends RawHttp {
  readonly tokens: Set<string>;
  /** The tokens of all requests, in order; `undefined` for those without one. */
  readonly used: readonly (string | undefined)[];
  /** The `WWW-Authenticate` header of a refusal. */
  challenge: string | undefined;
  /** Handles an accepted request itself and answers `true`. */
  also: Intercept | undefined;
}

const tokenOf = ({ headers }: IncomingMessage): string | undefined =>
  headers.authorization?.replace('Bearer ', '');

export const startProtectedHttp = async (
  accepted: readonly string[],
  options: RawHttpOptions = {},
): Promise<ProtectedHttp> => {
  const raw = await startRawHttp(options);
  const tokens = new Set(accepted);
  const used: (string | undefined)[] = [];
  const server: ProtectedHttp = { ...raw, tokens, used, challenge: 'Bearer', also: undefined };
  raw.setIntercept((request, response) => {
    const token = tokenOf(request);
    used.push(token);
    if (token !== undefined && tokens.has(token)) return server.also?.(request, response) ?? false;
    const headers = server.challenge === undefined ? {} : { 'www-authenticate': server.challenge };
    response.writeHead(401, headers).end('no');
    return true;
  });
  return server;
};

/** The definition of a server at this URL that needs a sign-in. */
export const oauthServer = (
  name: string,
  url: string,
  spec: Readonly<Record<string, unknown>> = {},
) => defineServer(name, { type: 'streamable-http', url, auth: { type: 'oauth' }, ...spec });
