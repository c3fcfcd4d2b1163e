import { isJsonObject } from '@gateway/call-contract';
import type { JsonObject } from '@gateway/call-contract';
import { hidesCharacters, withoutHiddenCharacters } from '@gateway/catalog';
import type {
  ServerPrompt,
  ServerResource,
  ServerResourceTemplate,
  ServerTool,
  ToolAnnotations,
} from '@gateway/catalog';
import type { DownstreamBounds } from '../wire/limits.ts';

/** An entry of a list, or why it cannot be used: the end of a sentence about it. */
export type ParsedEntry<T> =
  { readonly ok: true; readonly item: T } | { readonly ok: false; readonly reason: string };

const textField = <K extends string>(entry: JsonObject, key: K): { readonly [P in K]?: string } => {
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

const annotationTitle = (value: unknown): { readonly title?: string } =>
  isJsonObject(value) ? textField(value, 'title') : {};

const formatKind = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

/** Returns why a value that should be of a kind is not; the end of a sentence about its owner. */
const wrongKind = (member: string, value: unknown, wanted: string): string =>
  value === undefined
    ? `it has no ${member}`
    : `its ${member} is ${formatKind(value)}, not ${wanted}`;

const refuse = (reason: string): ParsedEntry<never> => ({ ok: false, reason });

/** Returns why an entry has no identifier in this member; `undefined` when it has one. */
const identifierProblem = (entry: JsonObject, member: string): string | undefined => {
  const value = entry[member];
  if (typeof value !== 'string') return wrongKind(member, value, 'a text');
  return value === '' ? `its ${member} is empty` : undefined;
};

/** Parses an entry of `tools/list`. */
export const parseToolEntry = (entry: JsonObject): ParsedEntry<ServerTool> => {
  const problem = identifierProblem(entry, 'name');
  if (problem !== undefined) return refuse(problem);
  const { inputSchema, outputSchema } = entry;
  if (!isJsonObject(inputSchema)) return refuse(wrongKind('inputSchema', inputSchema, 'an object'));
  const annotations = parseAnnotations(entry['annotations']);
  return {
    ok: true,
    item: {
      name: entry['name'] as string,
      ...annotationTitle(entry['annotations']),
      ...textField(entry, 'title'),
      ...textField(entry, 'description'),
      inputSchema,
      ...(isJsonObject(outputSchema) ? { outputSchema } : {}),
      ...(annotations === undefined ? {} : { annotations }),
      // The entry itself, not a copy: its schemas are shared, so it takes no additional memory.
      listed: entry,
    },
  };
};

const describingFields = (entry: JsonObject) => ({
  ...textField(entry, 'name'),
  ...textField(entry, 'description'),
  ...textField(entry, 'mimeType'),
  listed: entry,
});

/** Parses an entry of `resources/list`. */
export const parseResourceEntry = (entry: JsonObject): ParsedEntry<ServerResource> => {
  const problem = identifierProblem(entry, 'uri');
  if (problem !== undefined) return refuse(problem);
  return { ok: true, item: { uri: entry['uri'] as string, ...describingFields(entry) } };
};

/** Parses an entry of `resources/templates/list`. */
export const parseTemplateEntry = (entry: JsonObject): ParsedEntry<ServerResourceTemplate> => {
  const problem = identifierProblem(entry, 'uriTemplate');
  if (problem !== undefined) return refuse(problem);
  return {
    ok: true,
    item: { uriTemplate: entry['uriTemplate'] as string, ...describingFields(entry) },
  };
};

type PromptArgument = NonNullable<ServerPrompt['arguments']>[number];

const parseArgument = (value: unknown): readonly PromptArgument[] => {
  if (!isJsonObject(value)) return [];
  const { name, required } = value;
  if (typeof name !== 'string') return [];
  return [
    {
      name,
      ...textField(value, 'description'),
      ...(typeof required === 'boolean' ? { required } : {}),
    },
  ];
};

/** Parses an entry of `prompts/list`. */
export const parsePromptEntry = (entry: JsonObject): ParsedEntry<ServerPrompt> => {
  const problem = identifierProblem(entry, 'name');
  if (problem !== undefined) return refuse(problem);
  const { arguments: list } = entry;
  return {
    ok: true,
    item: {
      name: entry['name'] as string,
      ...textField(entry, 'description'),
      ...(Array.isArray(list) ? { arguments: list.flatMap(parseArgument) } : {}),
      listed: entry,
    },
  };
};

const LINE_END = /\r\n?/g;

/** Returns whether a text can be displayed unchanged. */
const isDisplayable = (text: string, maxChars: number): boolean =>
  text.length <= maxChars && !hidesCharacters(text) && !text.includes('\r');

/** Returns at most `units` UTF-16 units of a text. Never splits a surrogate pair. */
const head = (text: string, units: number): string => {
  const cut = text.slice(0, Math.max(0, units));
  const last = cut.charCodeAt(cut.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
};

/**
 * Returns a server's text for display: without invisible characters, with normalized line ends, and truncated with a mark when it is too
 * long. Tabs and line feeds stay.
 *
 * @param maxChars maximum length of the result in UTF-16 units, the mark included
 */
export const displayText = (text: string, maxChars: number): string => {
  const clean = withoutHiddenCharacters(text.replace(LINE_END, '\n'));
  if (clean.length <= maxChars) return clean;
  const mark = ` [... cut by the gateway: ${clean.length} characters]`;
  return `${head(clean, maxChars - mark.length)}${mark}`;
};

/** The bounds of a list entry. */
export type EntryBounds = Pick<DownstreamBounds, 'maxEntryChars' | 'maxDescriptionChars'>;

/** Maximum nesting of arrays and objects in an entry, as in client requests. A deeper entry could make the lists of all servers unusable. */
const MAX_ENTRY_LEVELS = 128;
/** Maximum length of a title. A longer title is truncated. */
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

const maxTextChars = (key: string, { maxDescriptionChars }: EntryBounds): number =>
  key === 'title' ? Math.min(MAX_TITLE_CHARS, maxDescriptionChars) : maxDescriptionChars;

/** The result of one pass over an entry. */
class EntryScan {
  readonly #bounds: EntryBounds;
  #chars = 0;
  isTooDeep = false;
  /** Some text must be cleaned before it is displayed. */
  needsCleaning = false;

  constructor(bounds: EntryBounds) {
    this.#bounds = bounds;
  }

  get chars(): number {
    return this.#chars;
  }

  get isTooLong(): boolean {
    return this.#chars > this.#bounds.maxEntryChars;
  }

  /** Visits a value and its members. Stops at `levels`, so that the stack is bounded, and as soon as the result is known. */
  visit(value: unknown, levels: number): void {
    this.#chars += VALUE_CHARS;
    if (typeof value === 'string') this.#text(value, this.#bounds.maxDescriptionChars);
    if (typeof value !== 'object' || value === null) return;
    if (levels === 0) this.isTooDeep = true;
    if (this.isTooDeep || this.isTooLong) return;
    if (Array.isArray(value)) for (const child of value) this.visit(child, levels - 1);
    else this.#members(value as JsonObject, levels);
  }

  #members(object: JsonObject, levels: number): void {
    for (const key of Object.keys(object)) {
      const value = object[key];
      this.#chars += key.length;
      if (typeof value === 'string' && TEXTS.has(key))
        this.#text(value, maxTextChars(key, this.#bounds), true);
      else this.visit(value, levels - 1);
    }
  }

  #text(text: string, maxChars: number, isCut = false): void {
    this.#chars += isCut ? Math.min(text.length, maxChars) : text.length;
    this.needsCleaning ||= !isDisplayable(text, maxChars);
  }
}

/** Returns the object with changed members; the same object when no member changes. */
const withMembers = (
  object: JsonObject,
  change: (key: string, value: unknown) => unknown,
): JsonObject => {
  const members = Object.entries(object).map(([key, value]) => [key, change(key, value)] as const);
  return members.some(([key, value]) => value !== object[key])
    ? Object.fromEntries(members)
    : object;
};

/** Returns the value with its texts cleaned for display; the same value when no text changes. */
const displayValue = (value: unknown, bounds: EntryBounds): unknown => {
  if (Array.isArray(value)) {
    const items = value.map((item) => displayValue(item, bounds));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  return withMembers(value, (key, member) => displayMember(key, member, bounds));
};

const displayMember = (key: string, value: unknown, bounds: EntryBounds): unknown => {
  if (typeof value === 'string')
    return TEXTS.has(key) ? displayText(value, maxTextChars(key, bounds)) : value;
  if (DATA.has(key)) return value;
  if (MAPS.has(key) && isJsonObject(value))
    return withMembers(value, (_name, schema) => displayValue(schema, bounds));
  return displayValue(value, bounds);
};

/** An entry for display, or why it cannot be used: the end of a sentence about it. */
type DisplayedEntry = { readonly chars: number } & (
  | { readonly ok: true; readonly entry: JsonObject }
  | { readonly ok: false; readonly reason: string }
);

/**
 * Returns a list entry with its titles, descriptions and comments cleaned for display, those in schemas included. Names and data stay
 * unchanged, because callers send them back to the server.
 *
 * @param label another member of the entry that only readers use
 * @returns the same entry when nothing changes; the reason when it is too long or nested too deeply
 */
export const displayEntry = (
  entry: JsonObject,
  bounds: EntryBounds,
  label?: string,
): DisplayedEntry => {
  const scan = new EntryScan(bounds);
  scan.visit(entry, MAX_ENTRY_LEVELS);
  const { chars } = scan;
  if (scan.isTooDeep)
    return { ok: false, reason: `it is nested more than ${MAX_ENTRY_LEVELS} levels deep`, chars };
  if (scan.isTooLong)
    return { ok: false, reason: `it is longer than ${bounds.maxEntryChars} characters`, chars };
  if (!scan.needsCleaning) return { ok: true, entry, chars };
  const shown = withMembers(entry, (key, value) =>
    key === label && typeof value === 'string'
      ? displayText(value, MAX_TITLE_CHARS)
      : displayMember(key, value, bounds),
  );
  return { ok: true, entry: shown, chars };
};
