import type { JsonObject } from '@gateway/call-contract';

/**
 * Whether a result asks the caller for more instead of answering (2026-07-28). It is the caller's to answer, by the same call
 * again: it is passed on as it is.
 */
export const asksForInput = (result: JsonObject): boolean =>
  result['resultType'] === 'input_required';
