import { matchAt } from '../lexing/match-at.ts';
import type { JsonPathSegment, JsonPathSelector } from '../tree/path.ts';

const DOTTED = /(\.\.?)(?:(\*)|([^\s.[\]()?@^~*,:'"`\\]+))/y;
const DESCENT = /\.\.(?=\[)/y;
const OPEN = /\[\s*/y;
const NEXT = /\s*(?:(,)\s*|\])/y;
const SELECTOR =
  /(\*)|'([^'\]\\]*)'|"([^"\]\\]*)"|((?:-?\d{1,15})?:(?:-?\d{1,15})?(?::(?:[1-9]\d{0,14})?)?)|(-?\d{1,15})/y;

type Read<T> = { readonly value: T; readonly end: number } | undefined;

const readSelector = (text: string, at: number): Read<JsonPathSelector> => {
  const found = matchAt(SELECTOR, text, at);
  if (found === undefined) return undefined;
  const [all, star, single, double, slice, index] = found;
  const end = at + all.length;
  if (star !== undefined) return { value: { kind: 'all' }, end };
  if (slice !== undefined) return { value: { kind: 'slice', written: slice }, end };
  if (index !== undefined) return { value: { kind: 'index', index: Number(index) }, end };
  return { value: { kind: 'name', name: single ?? double ?? '' }, end };
};

const readSelectors = (text: string, start: number): Read<readonly JsonPathSelector[]> => {
  const open = matchAt(OPEN, text, start);
  if (open === undefined) return undefined;
  const selectors: JsonPathSelector[] = [];
  let at = start + open[0].length;
  for (;;) {
    const selector = readSelector(text, at);
    if (selector === undefined) return undefined;
    const next = matchAt(NEXT, text, selector.end);
    if (next === undefined) return undefined;
    selectors.push(selector.value);
    at = selector.end + next[0].length;
    if (next[1] === undefined) return { value: selectors, end: at };
  }
};

const readSegment = (text: string, at: number): Read<JsonPathSegment> => {
  const dotted = matchAt(DOTTED, text, at);
  if (dotted !== undefined) {
    const [all, dots, star, name = ''] = dotted;
    const selector: JsonPathSelector =
      star === undefined ? { kind: 'name', name } : { kind: 'all' };
    return { value: { descends: dots === '..', selectors: [selector] }, end: at + all.length };
  }
  const descends = matchAt(DESCENT, text, at) !== undefined;
  const bracket = readSelectors(text, descends ? at + 2 : at);
  return bracket && { value: { descends, selectors: bracket.value }, end: bracket.end };
};

const CODE = /[?()@^~`]/;
const MAX_SHOWN_CHARS = 16;

const problemAt = (text: string, at: number): string => {
  const rest = text.slice(at);
  return CODE.test(rest)
    ? 'filters and scripts are not allowed'
    : `unexpected "${rest.slice(0, MAX_SHOWN_CHARS)}" at character ${at + 1}`;
};

/** The segments after `$`, or the reason that the text is not a path. */
export type ParsedJsonPath =
  | { readonly ok: true; readonly segments: readonly JsonPathSegment[] }
  | { readonly ok: false; readonly why: string };

/**
 * Reads a text that starts with `$` as JSONPath of names, indexes, slices that step forwards, unions, `*` and `..`. Filters and
 * scripts are refused, since they are code. RFC 9535
 */
export const parseJsonPath = (text: string): ParsedJsonPath => {
  const segments: JsonPathSegment[] = [];
  let at = 1;
  while (at < text.length) {
    const segment = readSegment(text, at);
    if (segment === undefined) return { ok: false, why: problemAt(text, at) };
    segments.push(segment.value);
    at = segment.end;
  }
  return { ok: true, segments };
};
