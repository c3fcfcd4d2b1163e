import type { CallContext } from '@gateway/call-contract';
import type { ToolsetRequest } from '../contract/meta-tool.ts';

/** Returns the context of a request that runs no call: it has no caller and is never cancelled. */
export const idleCallContext = ({ principal, sessionId }: ToolsetRequest): CallContext => ({
  principal,
  sessionId,
  signal: new AbortController().signal,
});
