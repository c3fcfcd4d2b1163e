import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { ResponseTooLargeError, UnreadableBodyError } from './http-body.ts';
import { reasonOf } from '../reason.ts';
import { refusalInBody } from '../request-outcome.ts';
import type { RequestFailure } from '../request-outcome.ts';

/** The reason why a POST returned no message. */
export type HttpFailure =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly text: string;
      readonly redirect: URL | undefined;
      /** The `Mcp-Session-Id` header of the answer is not that of the request. */
      readonly namesOtherSession?: boolean;
    }
  | {
      readonly kind: 'content-type';
      readonly contentType: string | undefined;
      readonly text?: string;
    }
  | { readonly kind: 'not-json'; readonly error: SyntaxError }
  /** `reason`: what the server sent in place of the answer. */
  | { readonly kind: 'no-answer'; readonly reason: string; readonly text?: string }
  | { readonly kind: 'broken'; readonly error: Error }
  | { readonly kind: 'incomplete' };

type Of<K extends HttpFailure['kind']> = Extract<HttpFailure, { kind: K }>;

/** Returns the target of a redirect without its query. */
const redirectText = (redirect: URL): string =>
  `redirect to ${redirect.origin}${redirect.pathname} not followed; use that URL if it is the intended server`;

/** The status comes first, because the text of the server may be long or empty. */
const statusText = (status: number, text: string): string =>
  text.trim() === '' ? `HTTP ${status}` : `HTTP ${status}: ${text}`;

const contentText = (contentType: string | undefined): string =>
  `Unexpected content type: ${contentType ?? 'none'}`;

/** The reason of the reader is about `it`. */
const unreadableText = ({ message }: SyntaxError): string =>
  message.replace(/^it /u, 'the answer ');

const failures: { readonly [K in HttpFailure['kind']]: (failure: Of<K>) => RequestFailure } = {
  status: ({ status, text, redirect, namesOtherSession = false }) => {
    const session = namesOtherSession ? { namesOtherSession } : {};
    const refusal = refusalInBody(text, status);
    if (refusal !== undefined) return { ...refusal, ...session };
    const reason = statusText(status, redirect === undefined ? '' : redirectText(redirect));
    return { kind: 'lost', reason, httpStatus: status, text, ...session };
  },
  'content-type': ({ contentType, text = '' }) => ({
    kind: 'invalid',
    reason: contentText(contentType),
    text,
  }),
  'not-json': ({ error }) => ({ kind: 'invalid', reason: unreadableText(error) }),
  'no-answer': ({ reason, text = '' }) => ({ kind: 'invalid', reason, text }),
  broken: ({ error }) =>
    error instanceof ResponseTooLargeError || error instanceof UnreadableBodyError
      ? { kind: 'invalid', reason: error.message }
      : { kind: 'lost', reason: reasonOf(error) },
  incomplete: () => ({ kind: 'lost', reason: 'the answer ended before it was complete' }),
};

const failureOf = <K extends HttpFailure['kind']>(kind: K, failure: Of<K>): RequestFailure =>
  failures[kind](failure);

/** Returns the failure of the request. */
export const requestFailureOf = (failure: HttpFailure): RequestFailure =>
  failureOf(failure.kind, failure);

const errors: { readonly [K in HttpFailure['kind']]: (failure: Of<K>) => Error } = {
  status: ({ status, text, redirect }) =>
    new SdkHttpError(
      SdkErrorCode.ClientHttpNotImplemented,
      statusText(status, redirect === undefined ? text : redirectText(redirect)),
      { status, statusText: '', text },
    ),
  'content-type': ({ contentType }) =>
    new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, contentText(contentType), {
      contentType,
    }),
  'not-json': ({ error }) => new SyntaxError(unreadableText(error)),
  'no-answer': ({ reason }) => new SyntaxError(reason),
  broken: ({ error }) => error,
  incomplete: () => new Error('the answer ended before it was complete'),
};

const errorOf = <K extends HttpFailure['kind']>(kind: K, failure: Of<K>): Error =>
  errors[kind](failure);

/** Returns the error that the SDK's client expects; it derives the era of a server from some of them. */
export const sdkErrorOf = (failure: HttpFailure): Error => errorOf(failure.kind, failure);
