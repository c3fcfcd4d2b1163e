import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import type { DownstreamBounds } from '../wire/limits.ts';
import { isDisplayable, displayText } from './display-text.ts';

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

const boundOf = (key: string, { maxDescriptionChars }: EntryBounds): number =>
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
        this.#text(value, boundOf(key, this.#bounds), true);
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
    return TEXTS.has(key) ? displayText(value, boundOf(key, bounds)) : value;
  if (DATA.has(key)) return value;
  if (MAPS.has(key) && isJsonObject(value))
    return withMembers(value, (_name, schema) => displayValue(schema, bounds));
  return displayValue(value, bounds);
};

/** An entry for display, or why it cannot be used: the end of a sentence about it. */
export type DisplayedEntry = { readonly chars: number } & (
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
