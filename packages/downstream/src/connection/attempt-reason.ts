import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { reasonOf } from '../wire/reason.ts';

/** The prefix of the client library. It names the failed probe and says nothing about the server. */
const NEGOTIATION =
  /^Version negotiation (?:probe )?failed: (?:the server answered the probe with )?/;

/** Returns the reason of a failed handshake. It may contain secrets. `late` is the reason after a timeout. */
export const attemptReason = (error: unknown, late: string): string =>
  error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout
    ? late
    : reasonOf(error).replace(NEGOTIATION, '');
