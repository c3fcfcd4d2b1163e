import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import { GuardedFetchError, type GuardedFetch } from '@gateway/guarded-fetch';

/** The endpoint of an issuer does not answer as its protocol requires. The message names neither tokens nor answers. */
export class IssuerUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'IssuerUnavailable';
  }
}

/** A request for a JSON object. */
export interface JsonRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Requests a JSON object. Rejects with {@link IssuerUnavailable} when there is none. */
export const fetchJson = async (
  fetch: GuardedFetch,
  url: string,
  init: JsonRequest = {},
): Promise<JsonObject> => {
  const document = await requested(fetch, url, init);
  if (isJsonObject(document)) return document;
  throw new IssuerUnavailable(`${hostOf(url)} answered something else than a JSON object`);
};

const requested = async (fetch: GuardedFetch, url: string, init: JsonRequest): Promise<unknown> => {
  const headers = { accept: 'application/json', ...init.headers };
  try {
    const response = await fetch(url, { ...init, headers });
    if (response.status === 200) return await response.json();
    throw new IssuerUnavailable(`${hostOf(url)} answered with status ${response.status}`);
  } catch (error) {
    if (error instanceof IssuerUnavailable) throw error;
    const reason = error instanceof GuardedFetchError ? error.message : 'no valid answer';
    throw new IssuerUnavailable(`${hostOf(url)}: ${reason}`, { cause: error });
  }
};

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'the issuer');
