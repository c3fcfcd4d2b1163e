import type { JsonObject } from '@gateway/call-contract';

/**
 * Returns whether a result requests input from the caller (2026-07-28). The caller answers by the same call again, so it is
 * passed on unchanged.
 */
export const asksForInput = (result: JsonObject): boolean =>
  result['resultType'] === 'input_required';
