import { matchAt, type LiteralRead, readBracket } from './literals.ts';
import {
  type JsonPathSegment,
  type JsonPathSelector,
  MAX_PATH_CHARS,
  type Outcome,
  type Path,
  type PathStep,
  shortenText,
} from './template.ts';

const DOTTED = /(\.\.?)(?:(\*)|([^\s.[\]()?@^~*,:'"`\\]+))/y;
const DESCENT = /\.\.(?=\[)/y;
const OPEN = /\[\s*/y;
const NEXT = /\s*(?:(,)\s*|\])/y;
const SELECTOR =
  /(\*)|'([^'\]\\]*)'|"([^"\]\\]*)"|((?:-?\d{1,15})?:(?:-?\d{1,15})?(?::(?:[1-9]\d{0,14})?)?)|(-?\d{1,15})/y;

type Found<T> = { readonly value: T; readonly end: number } | undefined;

const readSelector = (text: string, at: number): Found<JsonPathSelector> => {
  const found = matchAt(SELECTOR, text, at);
  if (found === undefined) return undefined;
  const [all, star, single, double, slice, index] = found;
  const end = at + all.length;
  if (star !== undefined) return { value: { kind: 'all' }, end };
  if (slice !== undefined) return { value: { kind: 'slice', written: slice }, end };
  if (index !== undefined) return { value: { kind: 'index', index: Number(index) }, end };
  return { value: { kind: 'name', name: single ?? double ?? '' }, end };
};

const readSelectors = (text: string, start: number): Found<readonly JsonPathSelector[]> => {
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

const readSegment = (text: string, at: number): Found<JsonPathSegment> => {
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

const describeProblem = (text: string, at: number): string => {
  const rest = text.slice(at);
  return CODE.test(rest)
    ? 'filters and scripts are not allowed'
    : `unexpected "${rest.slice(0, MAX_SHOWN_CHARS)}" at character ${at + 1}`;
};

/**
 * Reads a text that starts with `$` as JSONPath of names, indexes, slices that step forwards, unions, `*` and `..`. Filters and
 * scripts are refused, since they are code. RFC 9535
 */
const parseJsonPath = (text: string): Outcome<readonly JsonPathSegment[], string> => {
  const segments: JsonPathSegment[] = [];
  let at = 1;
  while (at < text.length) {
    const segment = readSegment(text, at);
    if (segment === undefined) return { ok: false, error: describeProblem(text, at) };
    segments.push(segment.value);
    at = segment.end;
  }
  return { ok: true, value: segments };
};

/** The parsed path, or why it is none. */
export type ParsedPath = Outcome<Path, string>;

const JSON_PATH = /^\$(?:$|[.[])/;
const NAME = /[^.[\]]+/y;

const createFailure = (why: string, text: string): ParsedPath => ({
  ok: false,
  error: `${why} in path '${shortenText(text)}'`,
});

const readNextName = (text: string, at: number): LiteralRead<PathStep> => {
  const key = matchAt(NAME, text, at)?.[0];
  if (key !== undefined) return { ok: true, value: { kind: 'key', key }, end: at + key.length };
  return { ok: false, message: text[at] === ']' ? 'invalid index syntax' : 'empty segment' };
};

const readNextBracket = (text: string, at: number): LiteralRead<PathStep> => {
  const bracket = readBracket(text, at);
  if (!bracket.ok) return bracket;
  const follower = text[bracket.end];
  if (follower === undefined || follower === '.' || follower === '[') return bracket;
  return { ok: false, message: 'invalid index syntax' };
};

const readSteps = (text: string): Outcome<readonly PathStep[], string> => {
  const steps: PathStep[] = [];
  let at = text.startsWith('.') ? 1 : 0;
  do {
    const next = text[at] === '[' ? readNextBracket(text, at) : readNextName(text, at);
    if (!next.ok) return { ok: false, error: next.message };
    steps.push(next.value);
    at = text[next.end] === '.' ? next.end + 1 : next.end;
    if (at > next.end && text[at] === '[') return { ok: false, error: 'empty segment' };
  } while (at < text.length || text.endsWith('.'));
  return { ok: true, value: steps };
};

/**
 * Reads a path: `items[0].name`, `labels["a.b"]`, `.items` or JSONPath that starts with `$`. Filters and scripts of JSONPath
 * are refused, since they are code.
 *
 * @spec §2.7 `jsonPath`
 */
export const parsePath = (text: string): ParsedPath => {
  if (text.length > MAX_PATH_CHARS) {
    return { ok: false, error: `path has more than ${MAX_PATH_CHARS} characters` };
  }
  if (text === '') return { ok: false, error: 'path is empty' };
  if (JSON_PATH.test(text)) {
    const parsed = parseJsonPath(text);
    if (!parsed.ok) return createFailure(parsed.error, text);
    return {
      ok: true,
      value: { kind: 'json-path', segments: parsed.value, written: text },
    };
  }
  const read = readSteps(text);
  if (!read.ok) return createFailure(read.error, text);
  return { ok: true, value: { kind: 'steps', steps: read.value, written: text } };
};
