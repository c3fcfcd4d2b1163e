import { parse, TomlError } from 'smol-toml';
import { strictJson, withoutMark } from '../reading/relaxed-json.ts';
import type { ImportRefusal } from '../servers/import-problem.ts';

/** A parsed text. `json` is absent for TOML. */
type ReadDocument =
  | { readonly ok: true; readonly document: unknown; readonly json?: string }
  | { readonly ok: false; readonly refusal: ImportRefusal };

/** A line that only a TOML file of Codex has. */
const CODEX_LINE = /^[ \t]*(?:\[[ \t]*)?(?:mcp_servers|"mcp_servers")[ \t]*[.=\]]/mu;

/** The most characters of a TOML text: its parser takes far more time per character than that of JSON. */
const MAX_TOML_CHARS = 1_000_000;

const PLACE = /line \d+ column \d+/u;

const placeOf = (error: unknown): string | undefined => {
  if (error instanceof TomlError)
    return `line ${String(error.line)} column ${String(error.column)}`;
  return error instanceof Error ? PLACE.exec(error.message)?.[0] : undefined;
};

const unreadable = (format: 'JSON' | 'TOML', error: unknown): ReadDocument => {
  const place = placeOf(error);
  return {
    ok: false,
    refusal: { code: 'not-readable', format, ...(place !== undefined && { place }) },
  };
};

/** Parses a configuration: JSON with comments and trailing commas, or TOML of Codex. */
export const readDocument = (text: string): ReadDocument => {
  if (CODEX_LINE.test(withoutMark(text))) {
    if (text.length > MAX_TOML_CHARS)
      return { ok: false, refusal: { code: 'too-large', max: MAX_TOML_CHARS } };
    try {
      return { ok: true, document: parse(withoutMark(text)) };
    } catch (error) {
      return unreadable('TOML', error);
    }
  }
  const json = strictJson(text);
  try {
    return { ok: true, document: JSON.parse(json) as unknown, json };
  } catch (error) {
    return unreadable('JSON', error);
  }
};
