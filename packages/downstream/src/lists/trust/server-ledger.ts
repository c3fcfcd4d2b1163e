import { isJsonObject, type ToolChange } from '@gateway/call-contract';
import {
  formatExposedName,
  hasHiddenCharacters,
  MAX_EXPOSED_NAME_CHARS,
  type ServerTool,
} from '@gateway/catalog';
import type { McpServer } from '@gateway/crd-schemas';
import { hash } from 'node:crypto';

type ToolField = 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations';

/** Returns JSON text that does not depend on the order of members. The value must not be nested deeper than lists allow. */
export const formatCanonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    isJsonObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );

/** The compared fields of a tool, in the order of the parts of a digest. */
const TOOL_FIELDS: readonly ToolField[] = [
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
];

/** One SHA-256 in base64url per field of {@link TOOL_FIELDS}, separated by dots; empty for absent fields. */
type ToolDigest = string;

const FIELD_VALUES: { readonly [F in ToolField]: (tool: ServerTool) => unknown } = {
  // The title of the tool itself, not the one of its annotations.
  title: (tool) => (tool.listed === undefined ? tool.title : tool.listed['title']),
  description: (tool) => tool.description,
  inputSchema: (tool) => tool.inputSchema,
  outputSchema: (tool) => tool.outputSchema,
  // All annotations, including those that the gateway does not know.
  annotations: (tool) => tool.listed?.['annotations'] ?? tool.annotations,
};

const digestValue = (value: unknown): string =>
  value === undefined ? '' : hash('sha256', formatCanonicalJson(value), 'base64url');

const known = new WeakMap<ServerTool, ToolDigest>();

/** Returns the digest of a tool's declaration. Computed once per object. */
export const digestTool = (tool: ServerTool): ToolDigest => {
  const before = known.get(tool);
  if (before !== undefined) return before;
  const digest = TOOL_FIELDS.map((field) => digestValue(FIELD_VALUES[field](tool))).join('.');
  known.set(tool, digest);
  return digest;
};

const diffFields = (before: ToolDigest, after: ToolDigest): readonly ToolField[] => {
  if (before === after) return [];
  const [old, now] = [before.split('.'), after.split('.')];
  return TOOL_FIELDS.filter((_field, index) => old[index] !== now[index]);
};

export type Hint = boolean | undefined;

interface KnownTool {
  readonly digest: ToolDigest;
  readonly readOnly: Hint;
  /** The effective `readOnlyHint` before any further acceptance: the accepted hint, or a narrower one. */
  readonly accepted: Hint;
  /** The fields that changed since the last acceptance. */
  readonly fields: readonly ToolField[];
  /** Time of the last change in milliseconds since the epoch; 0 without one. */
  readonly at: number;
}

export interface ObservedChange {
  readonly tool: string;
  readonly fields: readonly ToolField[];
  readonly widened: boolean;
  readonly held: boolean;
}

/** Maximum number of remembered tools per server. Beyond it, tools that are no longer listed are evicted, the newest first. */
const MAX_KNOWN_TOOLS = 20_000;
const MAX_SHOWN_CHANGES = 100;

const isWidened = ({ readOnly, accepted }: KnownTool): boolean =>
  readOnly === true && accepted !== true;

const hasChanged = ({ fields }: KnownTool): boolean => fields.length > 0;

/** The catalog exposes no tool whose name is longer or has invisible characters. */
const canBeServed = (name: string): boolean =>
  name.length <= MAX_EXPOSED_NAME_CHARS && !hasHiddenCharacters(name);

/** The tool declarations of one server, compared with the remembered ones. Pure: no files, clocks or logs. */
export class ServerLedger {
  readonly #tools: Map<string, KnownTool>;
  readonly #pins: boolean;
  #changes: readonly ToolChange[] | undefined;

  /** @param pins hints that change to true must be accepted */
  constructor(pins: boolean, tools: Iterable<readonly [string, KnownTool]> = []) {
    this.#pins = pins;
    this.#tools = new Map(tools);
  }

  /** By the server's own names, in the order of their first listing. */
  get tools(): ReadonlyMap<string, KnownTool> {
    return this.#tools;
  }

  /** Compares a complete list. A new tool is accepted; of two tools with one name the first counts; tools that cannot be exposed are ignored. */
  observe(
    tools: readonly ServerTool[],
    now: number,
  ): { readonly changes: readonly ObservedChange[]; readonly isChanged: boolean } {
    const changes: ObservedChange[] = [];
    const listed = new Set<string>();
    const { size } = this.#tools;
    for (const tool of tools) {
      if (listed.has(tool.name) || !canBeServed(tool.name)) continue;
      listed.add(tool.name);
      const change = this.#observeOne(tool, now);
      if (change !== undefined) changes.push(change);
    }
    if (changes.length > 0) this.#changes = undefined;
    const isChanged = changes.length > 0 || this.#tools.size > size;
    if (this.#tools.size > MAX_KNOWN_TOOLS) this.#forget(listed);
    return { changes, isChanged };
  }

  isHeld(name: string): boolean {
    const known = this.#tools.get(name);
    return this.#pins && known !== undefined && isWidened(known);
  }

  /** Returns the hint to expose while the tool's own hint is held. */
  findAcceptedHint(name: string): Hint {
    return this.#tools.get(name)?.accepted;
  }

  /** Returns the changes, the newest last. When there are too many, widened hints take precedence. The same array while they are unchanged. */
  listChanges(): readonly ToolChange[] {
    this.#changes ??= this.#listShownChanges();
    return this.#changes;
  }

  listUnknown(names: readonly string[]): readonly string[] {
    return names.filter((name) => !this.#tools.has(name));
  }

  /** Accepts the last observed declarations of these tools, or of all. @returns the tools that had changes, sorted */
  accept(names: readonly string[] = [...this.#tools.keys()]): readonly string[] {
    const accepted: string[] = [];
    for (const name of new Set(names)) {
      const known = this.#tools.get(name);
      if (known === undefined || !hasChanged(known)) continue;
      this.#tools.set(name, { ...known, accepted: known.readOnly, fields: [], at: 0 });
      accepted.push(name);
    }
    if (accepted.length > 0) this.#changes = undefined;
    return accepted.sort();
  }

  #observeOne(tool: ServerTool, now: number): ObservedChange | undefined {
    const digest = digestTool(tool);
    const readOnly = tool.annotations?.readOnlyHint;
    const before = this.#tools.get(tool.name);
    if (before === undefined) {
      this.#tools.set(tool.name, { digest, readOnly, accepted: readOnly, fields: [], at: 0 });
      return undefined;
    }
    const fields = diffFields(before.digest, digest);
    if (fields.length === 0) return undefined;
    const after: KnownTool = {
      digest,
      readOnly,
      accepted: readOnly === true ? before.accepted : readOnly,
      fields: TOOL_FIELDS.filter((one) => before.fields.includes(one) || fields.includes(one)),
      at: now,
    };
    this.#tools.set(tool.name, after);
    const widened = before.readOnly !== true && isWidened(after);
    return { tool: tool.name, fields, widened, held: widened && this.#pins };
  }

  /** The oldest tools stay, so that new names cannot push them out. */
  #forget(listed: ReadonlySet<string>): void {
    for (const name of [...this.#tools.keys()].reverse()) {
      if (this.#tools.size <= MAX_KNOWN_TOOLS) return;
      if (!listed.has(name)) this.#tools.delete(name);
    }
  }

  #listShownChanges(): readonly ToolChange[] {
    const changed = [...this.#tools].filter(([, known]) => hasChanged(known));
    const byTime = changed.sort(([a, x], [b, y]) => x.at - y.at || (a < b ? -1 : 1));
    const wide = byTime.filter(([, known]) => isWidened(known)).slice(-MAX_SHOWN_CHANGES);
    const room = MAX_SHOWN_CHANGES - wide.length;
    const others = room === 0 ? [] : byTime.filter(([, known]) => !isWidened(known)).slice(-room);
    const shown = new Set([...wide, ...others]);
    return byTime
      .filter((one) => shown.has(one))
      .map(([tool, known]) => ({
        tool,
        at: known.at,
        fields: known.fields,
        hintWidened: isWidened(known),
        held: this.#pins && isWidened(known),
      }));
  }
}

export type KnownTools = readonly (readonly [string, KnownTool])[];

const VERSION = 1;
const MAX_TEXT_CHARS = 256 * 1024 * 1024;

const HINT_CODES: ReadonlyMap<Hint, unknown> = new Map([
  [undefined, null],
  [false, 0],
  [true, 1],
]);
const HINTS: ReadonlyMap<unknown, Hint> = new Map(
  [...HINT_CODES].map(([hint, code]) => [code, hint]),
);

/** A tool without changes needs three places, because the observed values are the accepted ones. */
const toRow = (name: string, known: KnownTool): readonly unknown[] => {
  const row = [name, known.digest, HINT_CODES.get(known.readOnly)];
  const bits = TOOL_FIELDS.reduce(
    (sum, field, index) => (known.fields.includes(field) ? sum | (1 << index) : sum),
    0,
  );
  return known.fields.length === 0 ? row : [...row, HINT_CODES.get(known.accepted), bits, known.at];
};

export const formatServerLine = (
  name: string,
  tools: Iterable<readonly [string, KnownTool]>,
): string => JSON.stringify([name, [...tools].map(([tool, known]) => toRow(tool, known))]);

export const formatLedger = (lines: readonly string[]): string =>
  `{"version":${VERSION},"servers":[\n${lines.join(',\n')}\n]}\n`;

const DIGEST = /^(?:[\w-]{43})?(?:\.(?:[\w-]{43})?){4}$/;

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

const parseChange = (
  readOnly: Hint,
  [accepted, bits, at]: readonly unknown[],
): Pick<KnownTool, 'accepted' | 'fields' | 'at'> | undefined => {
  if (accepted === undefined) return { accepted: readOnly, fields: [], at: 0 };
  if (!HINTS.has(accepted) || !isWhole(bits) || !isWhole(at)) return undefined;
  const fields = TOOL_FIELDS.filter((_field, index) => (bits & (1 << index)) !== 0);
  return { accepted: HINTS.get(accepted), fields, at };
};

const parseTool = (row: unknown): readonly [string, KnownTool] | undefined => {
  if (!Array.isArray(row)) return undefined;
  const [name, digest, code, ...rest] = row as readonly unknown[];
  if (typeof name !== 'string' || typeof digest !== 'string' || !DIGEST.test(digest))
    return undefined;
  if (!HINTS.has(code)) return undefined;
  const readOnly = HINTS.get(code);
  const change = parseChange(readOnly, rest);
  return change && [name, { digest, readOnly, ...change }];
};

const parseServer = (line: unknown): readonly [string, KnownTools] | undefined => {
  if (!Array.isArray(line)) return undefined;
  const [name, rows] = line as readonly unknown[];
  if (typeof name !== 'string' || !Array.isArray(rows)) return undefined;
  const tools = rows.map(parseTool).filter((tool) => tool !== undefined);
  return tools.length === rows.length ? [name, tools] : undefined;
};

/** Parses a text of {@link formatLedger} and returns its servers in order; `undefined` for any other text. */
export const parseLedger = (
  text: string,
): readonly (readonly [string, KnownTools])[] | undefined => {
  if (text.length > MAX_TEXT_CHARS) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { version, servers: lines } = value;
  if (version !== VERSION || !Array.isArray(lines)) return undefined;
  const servers = lines.map(parseServer).filter((server) => server !== undefined);
  return servers.length === lines.length ? servers : undefined;
};

/** Returns the exposed names of the tools in a stored text, without calculated exceptions such as a family that is served per server. @spec §1.4 */
export const listDeclaredToolNames = (
  text: string,
  servers: readonly McpServer[],
): readonly string[] => {
  const prefixes = new Map(
    servers.map(({ metadata: { name }, spec }) => [
      name,
      spec.family?.name ?? spec.toolPrefix ?? name,
    ]),
  );
  return (parseLedger(text) ?? []).flatMap(([server, tools]) => {
    const prefix = prefixes.get(server);
    return prefix === undefined ? [] : tools.map(([tool]) => formatExposedName(prefix, tool));
  });
};
