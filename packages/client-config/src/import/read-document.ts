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

/** Every version of Node names the position, and only newer ones the line. */
const POSITION = /at position (\d+)/u;

const lineAndColumn = (line: number, column: number): string =>
  `line ${String(line)} column ${String(column)}`;

const placeInJson = (json: string, error: unknown): string | undefined => {
  if (json.trim() === '') return 'it is empty';
  const message = error instanceof SyntaxError ? error.message : '';
  if (message.startsWith('Unexpected end')) return 'its end is missing';
  const position = POSITION.exec(message)?.[1];
  if (position === undefined) return undefined;
  const before = json.slice(0, Number(position)).split('\n');
  return lineAndColumn(before.length, (before.at(-1) ?? '').length + 1);
};

const unreadable = (format: 'JSON' | 'TOML', place: string | undefined): ReadDocument => {
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
      const isPlaced = error instanceof TomlError;
      return unreadable('TOML', isPlaced ? lineAndColumn(error.line, error.column) : undefined);
    }
  }
  const json = strictJson(text);
  try {
    return { ok: true, document: JSON.parse(json) as unknown, json };
  } catch (error) {
    return unreadable('JSON', placeInJson(json, error));
  }
};
