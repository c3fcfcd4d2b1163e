/** One selector of a path: an own key of an object, a place in a list (from its end when negative), some places, or all. */
export type JsonPathSelector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly written: string }
  | { readonly kind: 'all' };

/** One segment of a path: at least one selector, of the children or of everything below. RFC 9535 §1.4.3 */
export interface JsonPathSegment {
  readonly descends: boolean;
  readonly selectors: readonly JsonPathSelector[];
}

const DOTTED = /(\.\.?)(?:(\*)|([^\s.[\]()?@^~*,:'"`\\]+))/y;
const DESCENT = /\.\.(?=\[)/y;
const OPEN = /\[\s*/y;
const NEXT = /\s*(?:(,)\s*|\])/y;
const SELECTOR =
  /(\*)|'([^'\]\\]*)'|"([^"\]\\]*)"|((?:-?\d{1,15})?:(?:-?\d{1,15})?(?::(?:[1-9]\d{0,14})?)?)|(-?\d{1,15})/y;

const match = (pattern: RegExp, text: string, at: number): RegExpExecArray | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
};

type Read<T> = { readonly value: T; readonly end: number } | undefined;

const readSelector = (text: string, at: number): Read<JsonPathSelector> => {
  const found = match(SELECTOR, text, at);
  if (found === undefined) return undefined;
  const [all, star, single, double, slice, index] = found;
  const end = at + all.length;
  if (star !== undefined) return { value: { kind: 'all' }, end };
  if (slice !== undefined) return { value: { kind: 'slice', written: slice }, end };
  if (index !== undefined) return { value: { kind: 'index', index: Number(index) }, end };
  return { value: { kind: 'name', name: single ?? double ?? '' }, end };
};

const readBracket = (text: string, start: number): Read<readonly JsonPathSelector[]> => {
  const open = match(OPEN, text, start);
  if (open === undefined) return undefined;
  const selectors: JsonPathSelector[] = [];
  let at = start + open[0].length;
  for (;;) {
    const selector = readSelector(text, at);
    if (selector === undefined) return undefined;
    const next = match(NEXT, text, selector.end);
    if (next === undefined) return undefined;
    selectors.push(selector.value);
    at = selector.end + next[0].length;
    if (next[1] === undefined) return { value: selectors, end: at };
  }
};

const readSegment = (text: string, at: number): Read<JsonPathSegment> => {
  const dotted = match(DOTTED, text, at);
  if (dotted !== undefined) {
    const [all, dots, star, name = ''] = dotted;
    const selector: JsonPathSelector =
      star === undefined ? { kind: 'name', name } : { kind: 'all' };
    return { value: { descends: dots === '..', selectors: [selector] }, end: at + all.length };
  }
  const descends = match(DESCENT, text, at) !== undefined;
  const bracket = readBracket(text, descends ? at + 2 : at);
  return bracket && { value: { descends, selectors: bracket.value }, end: bracket.end };
};

/**
 * Reads JSONPath without filters and scripts: `$`, names, indexes, slices that step forwards, unions, `*` and `..`. Anything
 * else is no path.
 */
export const jsonPathSegments = (expression: string): readonly JsonPathSegment[] | undefined => {
  if (!expression.startsWith('$')) return undefined;
  const segments: JsonPathSegment[] = [];
  let at = 1;
  while (at < expression.length) {
    const segment = readSegment(expression, at);
    if (segment === undefined) return undefined;
    segments.push(segment.value);
    at = segment.end;
  }
  return segments;
};
