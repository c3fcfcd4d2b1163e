import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import {
  hasHiddenCharacters,
  type ServerPrompt,
  type ServerResource,
  type ServerResourceTemplate,
  type ServerTool,
  type ToolAnnotations,
  removeHiddenCharacters,
} from '@gateway/catalog';
import type { DownstreamBounds } from '../wire/limits.ts';

/** An entry of a list, or why it cannot be used: the end of a sentence about it. */
export type ParsedEntry<T> =
  { readonly ok: true; readonly item: T } | { readonly ok: false; readonly reason: string };

const pickTextField = <K extends string>(
  entry: JsonObject,
  key: K,
): { readonly [P in K]?: string } => {
  const value = entry[key];
  // A computed key of a generic type widens to an index signature; it is exactly K.
  return typeof value === 'string' ? ({ [key]: value } as { readonly [P in K]?: string }) : {};
};

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** Returns only the hints that the server set. A hint that is not a boolean counts as unset. @spec §2.4 annotations */
const parseAnnotations = (value: unknown): ToolAnnotations | undefined => {
  if (!isJsonObject(value)) return undefined;
  const hints = HINTS.flatMap((hint) => {
    const set = Object.hasOwn(value, hint) ? value[hint] : undefined;
    return typeof set === 'boolean' ? [[hint, set] as const] : [];
  });
  return hints.length === 0 ? undefined : Object.fromEntries(hints);
};

const formatKind = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

const formatKindProblem = (member: string, value: unknown, wanted: string): string =>
  value === undefined
    ? `it has no ${member}`
    : `its ${member} is ${formatKind(value)}, not ${wanted}`;

const refuse = (reason: string): ParsedEntry<never> => ({ ok: false, reason });

const parseIdentified = <T>(
  entry: JsonObject,
  member: string,
  parse: (identifier: string) => ParsedEntry<T>,
): ParsedEntry<T> => {
  const value = entry[member];
  if (typeof value !== 'string') return refuse(formatKindProblem(member, value, 'a text'));
  return value === '' ? refuse(`its ${member} is empty`) : parse(value);
};

export const parseToolEntry = (entry: JsonObject): ParsedEntry<ServerTool> =>
  parseIdentified<ServerTool>(entry, 'name', (name) => {
    const { inputSchema, outputSchema } = entry;
    if (!isJsonObject(inputSchema))
      return refuse(formatKindProblem('inputSchema', inputSchema, 'an object'));
    const hints = entry['annotations'];
    const annotations = parseAnnotations(hints);
    return {
      ok: true,
      item: {
        name,
        ...(isJsonObject(hints) ? pickTextField(hints, 'title') : {}),
        ...pickTextField(entry, 'title'),
        ...pickTextField(entry, 'description'),
        inputSchema,
        ...(isJsonObject(outputSchema) ? { outputSchema } : {}),
        ...(annotations === undefined ? {} : { annotations }),
        // The entry itself, not a copy: its schemas are shared, so it takes no additional memory.
        listed: entry,
      },
    };
  });

const pickEntryFields = (entry: JsonObject) => ({
  ...pickTextField(entry, 'name'),
  ...pickTextField(entry, 'description'),
  ...pickTextField(entry, 'mimeType'),
  listed: entry,
});

export const parseResourceEntry = (entry: JsonObject): ParsedEntry<ServerResource> =>
  parseIdentified(entry, 'uri', (uri) => ({
    ok: true,
    item: { uri, ...pickEntryFields(entry) },
  }));

export const parseTemplateEntry = (entry: JsonObject): ParsedEntry<ServerResourceTemplate> =>
  parseIdentified(entry, 'uriTemplate', (uriTemplate) => ({
    ok: true,
    item: { uriTemplate, ...pickEntryFields(entry) },
  }));

type PromptArgument = NonNullable<ServerPrompt['arguments']>[number];

const parseArgument = (value: unknown): readonly PromptArgument[] => {
  if (!isJsonObject(value)) return [];
  const { name, required } = value;
  if (typeof name !== 'string') return [];
  return [
    {
      name,
      ...pickTextField(value, 'description'),
      ...(typeof required === 'boolean' ? { required } : {}),
    },
  ];
};

export const parsePromptEntry = (entry: JsonObject): ParsedEntry<ServerPrompt> =>
  parseIdentified(entry, 'name', (name) => {
    const { arguments: list } = entry;
    return {
      ok: true,
      item: {
        name,
        ...pickTextField(entry, 'description'),
        ...(Array.isArray(list) ? { arguments: list.flatMap(parseArgument) } : {}),
        listed: entry,
      },
    };
  });

const LINE_END = /\r\n?/g;

const isDisplayable = (text: string, maxChars: number): boolean =>
  text.length <= maxChars && !hasHiddenCharacters(text) && !text.includes('\r');

/** Returns at most `units` UTF-16 units of a text. Never splits a surrogate pair. */
const truncateText = (text: string, units: number): string => {
  const cut = text.slice(0, Math.max(0, units));
  const last = cut.charCodeAt(cut.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
};

/** Returns a server's text without invisible characters, with normalized line ends, and at most `maxChars` UTF-16 units long with a mark. */
export const toDisplayText = (text: string, maxChars: number): string => {
  const clean = removeHiddenCharacters(text.replace(LINE_END, '\n'));
  if (clean.length <= maxChars) return clean;
  const mark = ` [... cut by the gateway: ${clean.length} characters]`;
  return `${truncateText(clean, maxChars - mark.length)}${mark}`;
};

export type EntryBounds = Pick<DownstreamBounds, 'maxEntryChars' | 'maxDescriptionChars'>;

/** Maximum nesting of arrays and objects in an entry, as in client requests. A deeper entry could make the lists of all servers unusable. */
const MAX_ENTRY_LEVELS = 128;
const MAX_TITLE_CHARS = 512;
/** Size of each value besides its characters, so that a list of a million empty objects does not count as small. */
const VALUE_CHARS = 2;

/** Members whose string values are shown to readers. */
const TEXTS: ReadonlySet<string> = new Set(['title', 'description', '$comment']);
/** Members whose values are data that a caller sends back unchanged. */
const DATA: ReadonlySet<string> = new Set([
  'const',
  'default',
  'enum',
  'examples',
  'icons',
  '_meta',
]);
/** Members that map names chosen by the server to schemas. */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
  'dependencies',
]);

/** The kind of the strings in a value: texts for readers, data that callers send back, or schemas by names that the server chose. */
type ValueKind = 'texts' | 'data' | 'map';

const resolveMemberKind = (key: string, kind: ValueKind): ValueKind => {
  if (kind === 'map') return 'texts';
  if (kind === 'data' || DATA.has(key)) return 'data';
  return MAPS.has(key) ? 'map' : 'texts';
};

class EntryPass {
  readonly #bounds: EntryBounds;
  readonly #label: string | undefined;
  chars = 0;
  isTooDeep = false;

  constructor(bounds: EntryBounds, label: string | undefined) {
    this.#bounds = bounds;
    this.#label = label;
  }

  get isTooLong(): boolean {
    return this.chars > this.#bounds.maxEntryChars;
  }

  /** Returns a value with its texts cleaned; the same value when no text changes. Stops at `levels`, and as soon as the entry is too long. */
  clean(value: unknown, levels: number, kind: ValueKind = 'texts'): unknown {
    this.chars += VALUE_CHARS;
    if (typeof value === 'string') this.chars += value.length;
    if (typeof value !== 'object' || value === null) return value;
    if (levels === 0) this.isTooDeep = true;
    if (this.isTooDeep || this.isTooLong) return value;
    return Array.isArray(value)
      ? this.#items(value, levels, kind === 'map' ? 'texts' : kind)
      : this.#members(value as JsonObject, levels, kind);
  }

  #items(items: readonly unknown[], levels: number, kind: ValueKind): unknown {
    let shown: unknown[] | undefined;
    for (const [at, item] of items.entries()) {
      const clean = this.clean(item, levels - 1, kind);
      if (clean !== item) (shown ??= [...items])[at] = clean;
    }
    return shown ?? items;
  }

  #members(object: JsonObject, levels: number, kind: ValueKind): JsonObject {
    let shown: Map<string, unknown> | undefined;
    for (const key of Object.keys(object)) {
      const value = object[key];
      this.chars += key.length;
      const clean = this.#member(key, value, levels, kind);
      if (clean !== value) (shown ??= new Map(Object.entries(object))).set(key, clean);
    }
    return shown === undefined ? object : Object.fromEntries(shown);
  }

  #member(key: string, value: unknown, levels: number, kind: ValueKind): unknown {
    if (typeof value !== 'string')
      return this.clean(value, levels - 1, resolveMemberKind(key, kind));
    const maxChars = kind === 'texts' ? this.#maxTextChars(key, levels) : undefined;
    if (maxChars === undefined) return this.clean(value, levels - 1, 'data');
    this.chars += Math.min(value.length, maxChars);
    return isDisplayable(value, maxChars) ? value : toDisplayText(value, maxChars);
  }

  /** Returns the maximum length of a text for readers; `undefined` for data. */
  #maxTextChars(key: string, levels: number): number | undefined {
    const { maxDescriptionChars } = this.#bounds;
    if (key === this.#label && levels === MAX_ENTRY_LEVELS) return MAX_TITLE_CHARS;
    if (key === 'title') return Math.min(MAX_TITLE_CHARS, maxDescriptionChars);
    return TEXTS.has(key) ? maxDescriptionChars : undefined;
  }
}

type DisplayedEntry = { readonly chars: number } & (
  | { readonly ok: true; readonly entry: JsonObject }
  | { readonly ok: false; readonly reason: string }
);

/** Returns a list entry with its texts for readers cleaned; `label` is another such member. Names and data stay, because callers send them back. */
export const toDisplayEntry = (
  entry: JsonObject,
  bounds: EntryBounds,
  label?: string,
): DisplayedEntry => {
  const pass = new EntryPass(bounds, label);
  const shown = pass.clean(entry, MAX_ENTRY_LEVELS) as JsonObject;
  const { chars } = pass;
  if (pass.isTooDeep)
    return { ok: false, reason: `it is nested more than ${MAX_ENTRY_LEVELS} levels deep`, chars };
  return pass.isTooLong
    ? { ok: false, reason: `it is longer than ${bounds.maxEntryChars} characters`, chars }
    : { ok: true, entry: shown, chars };
};
