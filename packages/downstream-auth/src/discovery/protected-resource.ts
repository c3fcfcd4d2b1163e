import type { GuardedFetch } from '@gateway/guarded-fetch';
import type { BearerChallenge } from '../challenge/bearer-challenge.ts';
import { bearerChallenge } from '../challenge/bearer-challenge.ts';
import { fetchDocument } from './fetch-metadata.ts';
import { parseProtectedResource } from './metadata.ts';
import type { ParsedMetadata, ProtectedResourceMetadata } from './metadata.ts';
import { resourceCovers } from './resource-match.ts';
import { protectedResourceUrls } from './well-known-urls.ts';

/** A request that every server answers with 401 before it reads more than the headers. */
const PING = {
  method: 'POST',
  headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
  body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
};
const GET = { headers: { accept: 'text/event-stream' } };

/** Requests a server without credentials, with GET and else with POST, and returns its `Bearer` challenge. Never rejects. */
export const requestChallenge = async (
  fetch: GuardedFetch,
  server: string,
): Promise<BearerChallenge | undefined> => {
  for (const init of [GET, PING]) {
    const response = await fetch(server, init).catch(() => undefined);
    const challenge =
      response?.status === 401
        ? bearerChallenge(response.headers.get('www-authenticate'))
        : undefined;
    if (challenge !== undefined) return challenge;
  }
  return undefined;
};

/** The metadata of a protected resource; `none` when the server has none, with what its URLs answer instead. */
export type ProtectedResourceOutcome =
  | { readonly kind: 'metadata'; readonly metadata: ProtectedResourceMetadata }
  | { readonly kind: 'none'; readonly problem?: string }
  | { readonly kind: 'failed'; readonly reason: string };

const metadataUrls = (server: URL, challenge: BearerChallenge | undefined): ReadonlySet<string> => {
  const named = challenge?.resourceMetadata;
  return new Set([...(named === undefined ? [] : [named]), ...protectedResourceUrls(server)]);
};

const outcomeOf = (server: URL, metadata: ProtectedResourceMetadata): ProtectedResourceOutcome => {
  if (resourceCovers(metadata.resource, server)) return { kind: 'metadata', metadata };
  const reason = `The metadata of the server describes another resource: "${metadata.resource}".`;
  return { kind: 'failed', reason };
};

const attempt = async (
  fetch: GuardedFetch,
  url: string,
): Promise<ParsedMetadata<ProtectedResourceMetadata> & { readonly isRefused?: boolean }> => {
  const document = await fetchDocument(fetch, url);
  if (document.ok) return parseProtectedResource(document.value);
  return { ok: false, problem: document.reason, isRefused: document.isRefused };
};

/**
 * Requests the metadata of a protected resource at the URL of the challenge, in the path form and in the root form. Metadata of another resource
 * is refused. Never rejects. RFC 9728 §3.3, §5
 */
export const requestProtectedResource = async (
  fetch: GuardedFetch,
  server: URL,
  challenge: BearerChallenge | undefined,
): Promise<ProtectedResourceOutcome> => {
  let refused: string | undefined;
  let problem: string | undefined;
  for (const url of metadataUrls(server, challenge)) {
    const found = await attempt(fetch, url);
    if (found.ok) return outcomeOf(server, found.metadata);
    if (found.isRefused) refused ??= found.problem;
    else if (found.problem !== 'HTTP 404') problem ??= `${found.problem} (${url.split('?')[0]})`;
  }
  if (refused === undefined) return { kind: 'none', ...(problem !== undefined && { problem }) };
  return { kind: 'failed', reason: `The metadata of the server cannot be read: ${refused}.` };
};
