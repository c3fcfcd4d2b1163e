import type { GuardedFetch } from '@gateway/guarded-fetch';
import { GuardedFetchError } from '@gateway/guarded-fetch';

/** A JSON document, or one line why there is none. */
export type FetchedDocument =
  | { readonly ok: true; readonly value: unknown }
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
    if (response.status !== 200)
      return { ok: false, isRefused: false, isAway: false, reason: `HTTP ${response.status}` };
    const value: unknown = await response.json();
    return { ok: true, value };
  } catch (error) {
    const isGuard = error instanceof GuardedFetchError;
    const reason = isGuard ? error.message : 'the answer is not JSON';
    return {
      ok: false,
      isRefused: isGuard && error.code === 'refused',
      isAway: isGuard && AWAY.has(error.code),
      reason,
    };
  }
};
