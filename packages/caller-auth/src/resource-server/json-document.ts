import type { JsonObject } from '@gateway/call-contract';
import { GuardedFetchError, type GuardedFetch } from '@gateway/guarded-fetch';
import { OAuthAnswerError, readOAuthDocument } from '@gateway/service-host';

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

/** Requests a JSON object; members that are `null` count as absent. Rejects with {@link IssuerUnavailable}. */
export const fetchJson = async (
  fetch: GuardedFetch,
  url: string,
  init: JsonRequest = {},
): Promise<JsonObject> => {
  const headers = { accept: 'application/json', ...init.headers };
  try {
    return await readOAuthDocument(await fetch(url, { ...init, headers }));
  } catch (error) {
    const isKnown = error instanceof GuardedFetchError || error instanceof OAuthAnswerError;
    const reason = isKnown ? error.message : 'no valid answer';
    throw new IssuerUnavailable(`${hostOf(url)}: ${reason}`, { cause: error });
  }
};

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'the issuer');
