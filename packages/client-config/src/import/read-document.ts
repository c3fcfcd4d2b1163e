import { parse, TomlError } from 'smol-toml';
import type { ValueNode } from '@humanwhocodes/momoa';
import { lineAndColumn, parseJson, withoutMark } from '../reading/json-text.ts';
import type { ImportRefusal } from '../servers/import-problem.ts';

/** A parsed text. `tree` is absent for TOML. */
type ReadDocument =
  | { readonly ok: true; readonly document: unknown; readonly tree?: ValueNode }
  | { readonly ok: false; readonly refusal: ImportRefusal };

/** A line that only a TOML file of Codex has. */
const CODEX_LINE = /^[ \t]*(?:\[[ \t]*)?(?:mcp_servers|"mcp_servers")[ \t]*[.=\]]/mu;

/** The most characters of a TOML text: its parser takes far more time per character than that of JSON. */
const MAX_TOML_CHARS = 1_000_000;

const unreadable = (format: 'JSON' | 'TOML', place: string | undefined): ReadDocument => {
  return {
    ok: false,
    refusal: { code: 'not-readable', format, ...(place !== undefined && { place }) },
  };
};

/** Parses a configuration: JSON with comments and trailing commas, or TOML of Codex. */
export const readDocument = (file: string): ReadDocument => {
  const text = withoutMark(file);
  if (!CODEX_LINE.test(text)) {
    const json = parseJson(text);
    return json.ok
      ? { ok: true, document: json.value, tree: json.tree }
      : unreadable('JSON', json.place);
  }
  if (file.length > MAX_TOML_CHARS)
    return { ok: false, refusal: { code: 'too-large', max: MAX_TOML_CHARS } };
  try {
    return { ok: true, document: parse(text) };
  } catch (error) {
    const isPlaced = error instanceof TomlError;
    return unreadable('TOML', isPlaced ? lineAndColumn(error.line, error.column) : undefined);
  }
};
