import type { JsonObject } from '@gateway/call-contract';
import type { GuardedFetch } from '@gateway/guarded-fetch';
import { GuardedFetchError } from '@gateway/guarded-fetch';
import { OAuthAnswerError, readOAuthDocument } from '@gateway/service-host';

/** A JSON document without members that are `null`, or one line why there is none. */
export type FetchedDocument =
  | { readonly ok: true; readonly value: JsonObject }
  /** `isRefused`: the URL is not allowed. `isAway`: the host does not answer, so that its other URLs need no request. */
  | {
      readonly ok: false;
      readonly isRefused: boolean;
      readonly isAway: boolean;
      readonly reason: string;
    };

const AWAY: ReadonlySet<string> = new Set(['refused', 'timeout', 'unreachable']);

const HEADERS = { accept: 'application/json', 'mcp-protocol-version': '2025-11-25' };

/** Requests a JSON document. Never rejects. */
export const fetchDocument = async (fetch: GuardedFetch, url: string): Promise<FetchedDocument> => {
  try {
    const response = await fetch(url, { headers: HEADERS });
    return { ok: true, value: await readOAuthDocument(response) };
  } catch (error) {
    const isGuard = error instanceof GuardedFetchError;
    const isKnown = isGuard || error instanceof OAuthAnswerError;
    const reason = isKnown ? error.message : 'the answer cannot be read';
    return {
      ok: false,
      isRefused: isGuard && error.code === 'refused',
      isAway: isGuard && AWAY.has(error.code),
      reason,
    };
  }
};
