import { MAX_BODY_BYTES } from '../limits.ts';
import { refusal, REFUSAL_STATUS, type Refusal, type RefusalCode } from './refusal.ts';
import { truncate, formatShown } from './shown.ts';

/** A refusal of the HTTP transport, whose status can be more specific than its code. */
export interface HttpRefusal {
  readonly status: number;
  readonly refusal: Refusal;
}

const refusing = (
  code: RefusalCode,
  reason: string,
  status: number = REFUSAL_STATUS[code],
): HttpRefusal => ({ status, refusal: refusal(code, reason) });

/** Refusals before an operation is found or its arguments are parsed. */
export const HTTP_REFUSALS = {
  unknownRoute: (pathname: string): HttpRefusal =>
    refusing('not_found', `there is nothing at ${formatShown(pathname)}`),
  /** Its answer carries `Allow` with the same methods. */
  methodNotAllowed: (facts: {
    readonly method: string;
    readonly allow: readonly string[];
  }): HttpRefusal =>
    refusing(
      'invalid_request',
      `${truncate(facts.method)} is not allowed here (allowed: ${facts.allow.join(', ')})`,
      405,
    ),
  bodyTooLarge: (): HttpRefusal =>
    refusing('invalid_request', `the body is longer than ${MAX_BODY_BYTES} bytes`, 413),
  notJson: (): HttpRefusal =>
    refusing('invalid_request', 'the Content-Type of the body must be application/json', 415),
  foreignHost: (host: string): HttpRefusal =>
    refusing('forbidden', `host ${formatShown(host)} is not served here`),
  foreignOrigin: (origin: string): HttpRefusal =>
    refusing('forbidden', `origin ${formatShown(origin)} is not allowed`),
} as const;
