import { parseJsonPath } from './parse-json-path.ts';
import { matchAt } from '../lexing/match-at.ts';
import type { Path, PathStep } from '../tree/path.ts';
import { bracketText, readBracket } from '../lexing/read-bracket.ts';
import { MAX_PATH_CHARS } from '../tree/template-limits.ts';
import { shortenText } from '../../navigation/shorten-text.ts';

/** The parsed path, or why it is none. */
export type ParsedPath =
  { readonly ok: true; readonly path: Path } | { readonly ok: false; readonly message: string };

const JSON_PATH = /^\$(?:$|[.[])/;
const NAME = /[^.[\]]+/y;

const refused = (why: string, text: string): ParsedPath => ({
  ok: false,
  message: `${why} in path '${shortenText(text)}'`,
});

type ReadSteps =
  | { readonly ok: true; readonly steps: readonly PathStep[] }
  | { readonly ok: false; readonly why: string };

type NextStep =
  | { readonly ok: true; readonly step: PathStep; readonly end: number }
  | { readonly ok: false; readonly why: string };

const nextName = (text: string, at: number): NextStep => {
  const key = matchAt(NAME, text, at)?.[0];
  if (key !== undefined) return { ok: true, step: { kind: 'key', key }, end: at + key.length };
  return { ok: false, why: text[at] === ']' ? 'invalid index syntax' : 'empty segment' };
};

const nextBracket = (text: string, at: number): NextStep => {
  const bracket = readBracket(text, at);
  if (!bracket.ok) return { ok: false, why: bracketText(bracket) };
  const follower = text[bracket.end];
  if (follower === undefined || follower === '.' || follower === '[') return bracket;
  return { ok: false, why: 'invalid index syntax' };
};

const readSteps = (text: string): ReadSteps => {
  const steps: PathStep[] = [];
  let at = text.startsWith('.') ? 1 : 0;
  do {
    const next = text[at] === '[' ? nextBracket(text, at) : nextName(text, at);
    if (!next.ok) return next;
    steps.push(next.step);
    at = text[next.end] === '.' ? next.end + 1 : next.end;
    if (at > next.end && text[at] === '[') return { ok: false, why: 'empty segment' };
  } while (at < text.length || text.endsWith('.'));
  return { ok: true, steps };
};

/**
 * Reads a path: `items[0].name`, `labels["a.b"]`, `.items` or JSONPath that starts with `$`. Filters and scripts of JSONPath
 * are refused, since they are code.
 *
 * @spec §2.7 `jsonPath`
 */
export const parsePath = (text: string): ParsedPath => {
  if (text.length > MAX_PATH_CHARS) {
    return { ok: false, message: `path has more than ${MAX_PATH_CHARS} characters` };
  }
  if (text === '') return { ok: false, message: 'path is empty' };
  if (JSON_PATH.test(text)) {
    const parsed = parseJsonPath(text);
    if (!parsed.ok) return refused(parsed.why, text);
    return {
      ok: true,
      path: { kind: 'json-path', segments: parsed.segments, written: text },
    };
  }
  const read = readSteps(text);
  if (!read.ok) return refused(read.why, text);
  return { ok: true, path: { kind: 'steps', steps: read.steps, written: text } };
};

/** Returns the reason that a text is not a path; undefined when it is one. */
export const pathProblem = (text: string): string | undefined => {
  const parsed = parsePath(text);
  return parsed.ok ? undefined : parsed.message;
};
