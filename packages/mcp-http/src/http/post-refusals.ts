import type { RpcError } from '@gateway/call-contract';
import { LEGACY_REVISIONS } from '../protocol/protocol-results.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { joined } from '../protocol/request-headers.ts';
import type { HttpExchange } from '../wire/http-exchange.ts';

/** Returns the refusal of a revision that the endpoint does not serve; `undefined` for any other, and for none. */
export const refuseRevision = ({ known }: HttpExchange): Refusal | undefined => {
  const revision = joined(known.protocolVersion);
  return revision === undefined || LEGACY_REVISIONS.includes(revision)
    ? undefined
    : { code: 'unsupported-revision', supported: LEGACY_REVISIONS };
};

/** Returns the refusal with an error of the protocol. */
export const protocolError = (
  status: number,
  { code, message, data }: RpcError,
): Extract<Refusal, { code: 'protocol-error' }> => ({
  code: 'protocol-error',
  status,
  error: { code, message, ...(data !== undefined && { data }) },
});
