import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { reasonOf } from '../wire/reason.ts';

/** What the client library says before the reason: which question it had asked says nothing of the server. */
const NEGOTIATION =
  /^Version negotiation (?:probe )?failed: (?:the server answered the probe with )?/;

/** Why a server could not be introduced to. May hold secrets. `late` is what is said of a server that did not answer in its time. */
export const attemptReason = (error: unknown, late: string): string =>
  error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout
    ? late
    : reasonOf(error).replace(NEGOTIATION, '');
