import { joined, type HeaderValue, type KnownHeaders } from '../protocol/request-headers.ts';
import type { Refusal } from '../protocol/refusal.ts';

/** The framings of an answer that the caller accepts. */
export interface AcceptedFramings {
  readonly json: boolean;
  readonly events: boolean;
}

const JSON_TYPE = 'application/json';
const EVENTS_TYPE = 'text/event-stream';

/** The value that the protocol requires of clients and that nearly all of them send. */
const USUAL_ACCEPT = 'application/json, text/event-stream';
const BOTH_FRAMINGS: AcceptedFramings = { json: true, events: true };

const isRefusedByWeight = (parameters: readonly string[]): boolean =>
  parameters.some((parameter) => /^\s*q\s*=\s*0(?:\.0{0,3})?\s*$/i.test(parameter));

const accepts = (ranges: readonly string[], type: string): boolean => {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  return ranges.some((range) => {
    const [essence = '', ...parameters] = range.split(';');
    const name = essence.trim().toLowerCase();
    return (name === type || name === family || name === '*/*') && !isRefusedByWeight(parameters);
  });
};

/** Parses `Accept`; a request without one accepts JSON. RFC 9110 §12.5.1 */
export const acceptedFramings = (accept: HeaderValue): AcceptedFramings => {
  if (accept === undefined) return { json: true, events: false };
  if (accept === USUAL_ACCEPT) return BOTH_FRAMINGS;
  const ranges = joined(accept, ',')?.split(',') ?? [];
  return { json: accepts(ranges, JSON_TYPE), events: accepts(ranges, EVENTS_TYPE) };
};

/** Returns the refusal of a `POST` whose body is not plain JSON, by its headers; `undefined` for an accepted one. */
export const refuseBodyType = ({
  contentType,
  contentEncoding,
}: Pick<KnownHeaders, 'contentType' | 'contentEncoding'>): Refusal | undefined => {
  if (contentType !== JSON_TYPE) {
    const essence = joined(contentType, ',')?.split(';', 1)[0]?.trim().toLowerCase();
    if (essence !== JSON_TYPE) return { code: 'unsupported-media-type' };
  }
  const encoding = joined(contentEncoding, ',')?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== 'identity') return { code: 'unsupported-encoding' };
  return undefined;
};

/** Returns the refusal of a caller that accepts neither framing of an answer; `undefined` for any other. */
export const refuseFramings = (accepted: AcceptedFramings): Refusal | undefined =>
  accepted.json || accepted.events
    ? undefined
    : { code: 'not-acceptable', expected: `${JSON_TYPE} or ${EVENTS_TYPE}` };

/** Returns the refusal of a caller that accepts no event stream; `undefined` for any other. */
export const refuseWithoutEvents = (accepted: AcceptedFramings): Refusal | undefined =>
  accepted.events ? undefined : { code: 'not-acceptable', expected: EVENTS_TYPE };
