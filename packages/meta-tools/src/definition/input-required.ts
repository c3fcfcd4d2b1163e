import type { CallResult } from '@gateway/call-contract';
import { memberOf } from '@gateway/mcp-wire';

/**
 * Returns whether a result requests input from the caller (2026-07-28). The caller answers by the same call again, so it is
 * passed on unchanged.
 */
export const asksForInput = (result: CallResult): boolean =>
  memberOf(result, 'resultType') === 'input_required';
