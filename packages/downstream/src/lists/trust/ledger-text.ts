import type { Hint, KnownTool } from './server-ledger.ts';
import { TOOL_FIELDS } from './tool-digest.ts';

/** The tools of one server by name. */
export type KnownTools = readonly (readonly [string, KnownTool])[];

const VERSION = 1;
/** Maximum length of a text that is parsed. */
const MAX_TEXT_CHARS = 256 * 1024 * 1024;

/** Returns the JSON value of a hint: 1, 0, or null when it is unset. */
const hintCode = (hint: Hint): 0 | 1 | null => (hint === undefined ? null : hint ? 1 : 0);

const CODES: ReadonlyMap<unknown, Hint> = new Map<unknown, Hint>([
  [null, undefined],
  [0, false],
  [1, true],
]);

const fieldBits = (known: KnownTool): number =>
  TOOL_FIELDS.reduce(
    (bits, field, index) => (known.fields.includes(field) ? bits | (1 << index) : bits),
    0,
  );

/** A tool without changes needs three places, because the observed values are the accepted ones. */
const rowOf = (name: string, known: KnownTool): readonly unknown[] => {
  const row = [name, known.digest, hintCode(known.readOnly)];
  return known.fields.length === 0
    ? row
    : [...row, hintCode(known.accepted), fieldBits(known), known.at];
};

/** Returns the line of one server. */
export const serverLine = (name: string, tools: Iterable<readonly [string, KnownTool]>): string =>
  JSON.stringify([name, [...tools].map(([tool, known]) => rowOf(tool, known))]);

/** Returns the text of these lines. */
export const ledgerText = (lines: readonly string[]): string =>
  `{"version":${VERSION},"servers":[\n${lines.join(',\n')}\n]}\n`;

const DIGEST = /^(?:[\w-]{43})?(?:\.(?:[\w-]{43})?){4}$/;

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

const changeOfRow = (
  readOnly: Hint,
  [accepted, bits, at]: readonly unknown[],
): Pick<KnownTool, 'accepted' | 'fields' | 'at'> | undefined => {
  if (accepted === undefined) return { accepted: readOnly, fields: [], at: 0 };
  if (!CODES.has(accepted) || !isWhole(bits) || !isWhole(at)) return undefined;
  const fields = TOOL_FIELDS.filter((_field, index) => (bits & (1 << index)) !== 0);
  return { accepted: CODES.get(accepted), fields, at };
};

const toolOfRow = (row: unknown): readonly [string, KnownTool] | undefined => {
  if (!Array.isArray(row)) return undefined;
  const [name, digest, code, ...rest] = row as readonly unknown[];
  if (typeof name !== 'string' || typeof digest !== 'string' || !DIGEST.test(digest))
    return undefined;
  if (!CODES.has(code)) return undefined;
  const readOnly = CODES.get(code);
  const change = changeOfRow(readOnly, rest);
  return change && [name, { digest, readOnly, ...change }];
};

const serverOfLine = (line: unknown): readonly [string, KnownTools] | undefined => {
  if (!Array.isArray(line)) return undefined;
  const [name, rows] = line as readonly unknown[];
  if (typeof name !== 'string' || !Array.isArray(rows)) return undefined;
  const tools = rows.map(toolOfRow).filter((tool) => tool !== undefined);
  return tools.length === rows.length ? [name, tools] : undefined;
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Parses a text of {@link ledgerText} and returns its servers in order; `undefined` for any other text. */
export const parseLedger = (
  text: string,
): readonly (readonly [string, KnownTools])[] | undefined => {
  if (text.length > MAX_TEXT_CHARS) return undefined;
  const value = jsonOf(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const { version, servers: lines } = value as { version?: unknown; servers?: unknown };
  if (version !== VERSION || !Array.isArray(lines)) return undefined;
  const servers = lines.map(serverOfLine).filter((server) => server !== undefined);
  return servers.length === lines.length ? servers : undefined;
};
