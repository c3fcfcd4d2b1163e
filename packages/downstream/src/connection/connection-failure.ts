import type { Era } from '@gateway/mcp-wire';
import type { FailureCode } from '@gateway/call-contract';
import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { formatReason } from '../wire/reason.ts';

const MAX_DEPTH = 5;

/** System error codes of an absent or unusable file, and of a host, network or port where nothing listens. */
const MISSING_CODES: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
]);

/** Error codes of a rejected certificate: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const CERTIFICATE_CODES: ReadonlySet<string> = new Set([
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'CRL_HAS_EXPIRED',
  'CRL_NOT_YET_VALID',
  'CRL_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'UNABLE_TO_GET_CRL',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Returns whether `test` accepts the error or one of its causes; of a name with several addresses, the errors of all of them. */
const hasCause = (error: unknown, test: (error: Error) => boolean, depth = 0): boolean => {
  if (!(error instanceof Error) || depth >= MAX_DEPTH) return false;
  if (test(error)) return true;
  if (error instanceof AggregateError)
    return error.errors.length > 0 && error.errors.every((one) => hasCause(one, test, depth + 1));
  return hasCause(error.cause, test, depth + 1);
};

const hasCode = (codes: ReadonlySet<string>) => (error: Error) =>
  'code' in error && typeof error.code === 'string' && codes.has(error.code);

/** Returns whether an error says that the executable or the endpoint of a server does not exist, rather than that it failed. */
export const isMissing = (error: unknown): boolean => hasCause(error, hasCode(MISSING_CODES));

export interface ConnectionFailure {
  readonly code: FailureCode;
  /** One line for users, without secrets. */
  readonly reason: string;
  /** The executable or the endpoint does not exist; the server can start as soon as it does. */
  readonly missing?: boolean;
  /** The era for the next attempt, when this one ended at the era probe. */
  readonly nextEra?: Era;
}

const FORBIDDEN = 403;

export class ToolsUnreadableError extends Error {
  readonly httpStatus: number | undefined;

  constructor(reason: string, httpStatus: number | undefined) {
    super(reason);
    this.name = 'ToolsUnreadableError';
    this.httpStatus = httpStatus;
  }
}

export const toFailureCode = (error: unknown): FailureCode => {
  const httpStatus = error instanceof SdkHttpError ? error.data.status : undefined;
  const status = error instanceof ToolsUnreadableError ? error.httpStatus : httpStatus;
  if (status === FORBIDDEN) return 'forbidden';
  if (hasCause(error, hasCode(CERTIFICATE_CODES))) return 'certificate';
  const isNotSpawned = (one: Error): boolean =>
    'code' in one &&
    one.code === 'ENOENT' &&
    'syscall' in one &&
    String(one.syscall).startsWith('spawn');
  if (hasCause(error, isNotSpawned)) return 'command-not-found';
  return isMissing(error) ? 'unreachable' : 'other';
};

/** The prefix of the client library. It names the failed probe and says nothing about the server. */
const NEGOTIATION =
  /^Version negotiation (?:probe )?failed: (?:the server answered the probe with )?/;

/** Returns the reason of a failed handshake. It may contain secrets. `late` is the reason after a timeout. */
export const formatAttemptFailure = (error: unknown, late: string): string =>
  error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout
    ? late
    : formatReason(error).replace(NEGOTIATION, '');
