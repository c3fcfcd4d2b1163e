import type { StateStore } from '@gateway/state-store';
import { type GuardedFetch, GuardedFetchError } from '@gateway/guarded-fetch';
import { LRUCache } from 'lru-cache';
import type { BrokerSettings } from '../auth-settings.ts';
import { parseClientMetadata, isLoopbackRedirect } from './clients.ts';
import { MinuteBudget } from './minute-budget.ts';

/** Client ID Metadata Documents: which are fetched, and how. */
export interface ClientDocuments {
  /** Returns whether the document of a client identifier may be fetched now. */
  mayFetch(clientId: string): Promise<boolean>;
  /** Fetches a document, reduced to what the server uses. Rejects when it cannot be used. */
  readonly fetch: (url: string) => Promise<Response>;
}

interface ClientDocumentsOptions {
  readonly settings: BrokerSettings['clientIdMetadataDocuments'];
  readonly fetch: GuardedFetch;
  readonly store: Pick<StateStore, 'add'>;
  readonly now: () => number;
  /** Called with one line about a document that is refused, without values of it. */
  readonly onFailure: (line: string) => void;
}

/**
 * Time for which a document is not fetched again, in milliseconds. It is below the time for which the library keeps a document that it
 * accepts, so that only refused documents are affected.
 */
const FETCHED_MS = 20_000;
const MAX_FETCHED = 1000;

/** Fetches of documents in a minute, over all clients and all processes of a store. */
const FETCHES_PER_MINUTE = 120;
const MAX_CLIENT_ID_CHARS = 512;

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/iu;

/** A document that cannot be used; the message has no values of it. */
class DocumentProblem extends Error {}

const formatProblem = (error: unknown): string =>
  error instanceof DocumentProblem || error instanceof GuardedFetchError
    ? error.message
    : 'the answer cannot be read';

/** A redirect URI of a document belongs to the host of the document or to the user's own computer. */
const isOwnRedirect = (uri: unknown, clientId: string): boolean =>
  typeof uri === 'string' &&
  URL.canParse(uri) &&
  (isLoopbackRedirect(uri) || new URL(uri).origin === new URL(clientId).origin);

const readDocument = (given: unknown, clientId: string): Readonly<Record<string, unknown>> => {
  const outcome = parseClientMetadata(given);
  if (!outcome.ok) throw new DocumentProblem(outcome.problem);
  const { metadata } = outcome;
  const { redirect_uris: uris } = metadata;
  if (!Array.isArray(uris) || !uris.every((uri) => isOwnRedirect(uri, clientId)))
    throw new DocumentProblem(
      'a redirect URI belongs neither to the host of the document nor to a loopback address',
    );
  return { token_endpoint_auth_method: 'none', ...metadata };
};

const fetchDocument = async (fetch: GuardedFetch, url: string): Promise<Response> => {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  if (response.status !== 200) throw new DocumentProblem('the status of the answer is not 200');
  if (!JSON_TYPE.test(response.headers.get('content-type') ?? ''))
    throw new DocumentProblem('the answer is not JSON');
  const document = readDocument(await response.json(), url);
  const caching = response.headers.get('cache-control');
  return new Response(JSON.stringify(document), {
    headers: {
      'content-type': 'application/json',
      ...(caching === null ? {} : { 'cache-control': caching }),
    },
  });
};

/**
 * Returns the documents of clients. A document is fetched from public addresses, without redirects, bounded in size and time; a document
 * that was refused is not fetched again for 20 seconds, and all fetches together are limited per minute.
 */
export const createClientDocuments = (options: ClientDocumentsOptions): ClientDocuments => {
  const { settings, fetch, store, now, onFailure } = options;
  const hosts = new Set(settings.hosts);
  const fetched = new LRUCache<string, number>({ max: MAX_FETCHED });
  const budget = new MinuteBudget(store, 'document', FETCHES_PER_MINUTE, now);
  return {
    mayFetch: async (clientId) => {
      if (clientId.length > MAX_CLIENT_ID_CHARS || !URL.canParse(clientId)) return false;
      if (hosts.size > 0 && !hosts.has(new URL(clientId).host)) return false;
      const fetchedAt = fetched.get(clientId);
      if (fetchedAt !== undefined && now() - fetchedAt < FETCHED_MS) return false;
      return budget.take();
    },
    fetch: async (url) => {
      try {
        return await fetchDocument(fetch, url);
      } catch (error) {
        onFailure(`document of a client: ${formatProblem(error)}`);
        throw error;
      } finally {
        fetched.set(url, now());
      }
    },
  };
};
