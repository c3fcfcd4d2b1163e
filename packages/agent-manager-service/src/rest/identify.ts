import type { IncomingMessage } from 'node:http';
import {
  refusal as refusalOf,
  type HttpRefusal,
  type RefusalCode,
} from '@gateway/agent-manager-client';
import type { Authenticated } from '@gateway/mcp-http';
import { callerOf } from '../operations/caller-of.ts';
import type { OperationCaller } from '../operations/operation-call.ts';

/** Checks the credentials of a request; never rejects. */
export type Authenticate = (request: IncomingMessage) => Authenticated | Promise<Authenticated>;

/** The caller of a request, or the refusal of its credentials. */
export type Identified =
  | { readonly ok: true; readonly caller?: OperationCaller }
  | {
      readonly ok: false;
      readonly refusal: HttpRefusal;
      readonly headers: Readonly<Record<string, string>>;
    };

const CODES: Readonly<Record<Extract<Authenticated, { ok: false }>['status'], RefusalCode>> = {
  400: 'invalid_request',
  401: 'unauthenticated',
  403: 'forbidden',
  503: 'backend_error',
};

/** Finds the caller of a request before its body is read. RFC 6750 §3 */
export const identify = async (
  request: IncomingMessage,
  authenticate: Authenticate,
): Promise<Identified> => {
  const authenticated = await authenticate(request);
  if (authenticated.ok) {
    const { authorization = '' } = request.headers;
    return { ok: true, caller: callerOf(authenticated.principal, authorization) };
  }
  const { status, sentence, challenge } = authenticated;
  return {
    ok: false,
    refusal: { status, refusal: refusalOf(CODES[status], sentence) },
    headers: challenge === undefined ? {} : { 'www-authenticate': challenge },
  };
};
