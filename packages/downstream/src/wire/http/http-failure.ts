import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { formatUnreadable } from '../message-text.ts';
import { formatReason } from '../reason.ts';
import { parseBodyRefusal, type RequestFailure } from '../request-outcome.ts';
import { ResponseTooLargeError, UnreadableBodyError } from './http-body.ts';

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

const redirectText = (redirect: URL): string =>
  `redirect to ${redirect.origin}${redirect.pathname} not followed; use that URL if it is the intended server`;

/** The status comes first, because the text of the server may be long or empty. */
const formatStatus = (status: number, text: string): string =>
  text.trim() === '' ? `HTTP ${status}` : `HTTP ${status}: ${text}`;

const formatContentProblem = (contentType: string | undefined): string =>
  `Unexpected content type: ${contentType ?? 'none'}`;

const INCOMPLETE = 'the answer ended before it was complete';

const createStatusFailure = ({
  status,
  text,
  redirect,
  namesOtherSession = false,
}: Extract<HttpFailure, { kind: 'status' }>): RequestFailure => {
  const session = namesOtherSession ? { namesOtherSession } : {};
  const refusal = parseBodyRefusal(text, status);
  if (refusal !== undefined) return { ...refusal, ...session };
  const reason = formatStatus(status, redirect === undefined ? '' : redirectText(redirect));
  return { kind: 'lost', reason, httpStatus: status, text, ...session };
};

export const toRequestFailure = (failure: HttpFailure): RequestFailure => {
  switch (failure.kind) {
    case 'status':
      return createStatusFailure(failure);
    case 'content-type': {
      const { contentType, text = '' } = failure;
      return { kind: 'invalid', reason: formatContentProblem(contentType), text };
    }
    case 'not-json':
      return { kind: 'invalid', reason: formatUnreadable(failure.error) };
    case 'no-answer':
      return { kind: 'invalid', reason: failure.reason, text: failure.text ?? '' };
    case 'broken': {
      const { error } = failure;
      return error instanceof ResponseTooLargeError || error instanceof UnreadableBodyError
        ? { kind: 'invalid', reason: error.message }
        : { kind: 'lost', reason: formatReason(error) };
    }
    case 'incomplete':
      return { kind: 'lost', reason: INCOMPLETE };
  }
};

/** Returns the error that the SDK's client expects; it derives the era of a server from some of them. */
export const toSdkError = (failure: HttpFailure): Error => {
  switch (failure.kind) {
    case 'status': {
      const { status, text, redirect } = failure;
      const shown = formatStatus(status, redirect === undefined ? text : redirectText(redirect));
      const data = { status, statusText: '', text };
      return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, shown, data);
    }
    case 'content-type': {
      const { contentType } = failure;
      const text = formatContentProblem(contentType);
      return new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, text, { contentType });
    }
    case 'not-json':
      return new SyntaxError(formatUnreadable(failure.error));
    case 'no-answer':
      return new SyntaxError(failure.reason);
    case 'broken':
      return failure.error;
    case 'incomplete':
      return new Error(INCOMPLETE);
  }
};
