import type { JsonObject } from '@gateway/call-contract';
import type { DownstreamBounds } from '../wire/limits.ts';
import { isDisplayable, displayText } from './display-text.ts';

/** Bounds on an entry of a list. */
export type EntryBounds = Pick<DownstreamBounds, 'maxEntryChars' | 'maxDescriptionChars'>;

/** Levels of arrays and objects in an entry, as in the requests of clients: a deeper one could spoil the lists of all servers. */
const MAX_ENTRY_LEVELS = 128;
/** One title. A longer one is cut. */
const MAX_TITLE_CHARS = 512;
/** What every value counts beside its characters, so that a list of a million empty objects is not small. */
const VALUE_CHARS = 2;

/** Members that hold text for readers, wherever they are strings. */
const TEXTS: ReadonlySet<string> = new Set(['title', 'description', '$comment']);
/** Members that hold data: a caller must be able to send them back as they are. */
const DATA: ReadonlySet<string> = new Set([
  'const',
  'default',
  'enum',
  'examples',
  'icons',
  '_meta',
]);
/** Members whose members have names of the server's choice, and schemas as values. */
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

/** What one scan at an entry finds out. */
class EntryScan {
  readonly #bounds: EntryBounds;
  #chars = 0;
  isTooDeep = false;
  /** Some text in it may have to be shown otherwise. */
  needsCleaning = false;

  constructor(bounds: EntryBounds) {
    this.#bounds = bounds;
  }

  get isTooLong(): boolean {
    return this.#chars > this.#bounds.maxEntryChars;
  }

  /** Looks no deeper than `levels`, so that it cannot run out of stack, and no further than is needed. */
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

/** The same value when no member changes. */
const withMembers = (
  object: JsonObject,
  change: (key: string, value: unknown) => unknown,
): JsonObject => {
  const members = Object.entries(object).map(([key, value]) => [key, change(key, value)] as const);
  return members.some(([key, value]) => value !== object[key])
    ? Object.fromEntries(members)
    : object;
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value of an entry with its texts as they are shown; the same value when they are shown as they are. */
const displayValue = (value: unknown, bounds: EntryBounds): unknown => {
  if (Array.isArray(value)) {
    const items = value.map((item) => displayValue(item, bounds));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isObject(value)) return value;
  return withMembers(value, (key, member) => displayMember(key, member, bounds));
};

const displayMember = (key: string, value: unknown, bounds: EntryBounds): unknown => {
  if (typeof value === 'string')
    return TEXTS.has(key) ? displayText(value, boundOf(key, bounds)) : value;
  if (DATA.has(key)) return value;
  if (MAPS.has(key) && isObject(value))
    return withMembers(value, (_name, schema) => displayValue(schema, bounds));
  return displayValue(value, bounds);
};

/**
 * An entry of a list as it is shown: titles, descriptions and comments, those in schemas too, without what readers cannot see and within
 * bounds. Everything else is as the server listed it, since names and data have to reach the server as they came.
 *
 * @param label another member of the entry itself that only readers use
 * @returns the very entry when it is shown as it is; `undefined` when it is too long or nested too deeply
 */
export const displayEntry = (entry: unknown, bounds: EntryBounds, label?: string): unknown => {
  const scan = new EntryScan(bounds);
  scan.visit(entry, MAX_ENTRY_LEVELS);
  if (scan.isTooDeep || scan.isTooLong) return undefined;
  if (!scan.needsCleaning || !isObject(entry)) return entry;
  return withMembers(entry, (key, value) =>
    key === label && typeof value === 'string'
      ? displayText(value, MAX_TITLE_CHARS)
      : displayMember(key, value, bounds),
  );
};
