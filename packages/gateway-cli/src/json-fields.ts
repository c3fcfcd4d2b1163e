import { isJsonObject, type JsonObject } from '@gateway/call-contract';

export type Fields = JsonObject;

const NO_FIELDS: Fields = {};

/** Returns the value if it is an object, else an empty object. */
export const toFields = (value: unknown): Fields => (isJsonObject(value) ? value : NO_FIELDS);

export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns an own field as text: a string unchanged, any other value as JSON, an absent one as an empty text. */
export function formatField(fields: Fields, key: string): string {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the entries of an own field that is an array, as objects. */
export const listEntries = (value: unknown, key: string): readonly Fields[] => {
  const fields = toFields(value);
  return toList(Object.hasOwn(fields, key) ? fields[key] : undefined).map(toFields);
};

interface ContentItem {
  readonly type: string;
  readonly text?: string;
  readonly [key: string]: unknown;
}

export interface PrintedResult {
  readonly content: readonly ContentItem[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Returns JSON text indented. Returns other text, and JSON that would not survive a round trip, unchanged. */
export function indentJson(text: string): string {
  if (!/^[[{]/u.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}

function itemText(item: ContentItem): string {
  if (typeof item.text === 'string') return indentJson(item.text);
  const { type, mimeType, data, uri } = item;
  const size = typeof data === 'string' ? `, ${data.length.toString()} characters of base64` : '';
  const facts = [mimeType, uri].filter((fact) => typeof fact === 'string').join(' ');
  return type === 'resource'
    ? JSON.stringify(item['resource'], null, 2)
    : `[${type} ${facts}${size}]`;
}

/** Returns the items of a result as text, one after the other. An item without text is described in brackets. */
export function formatToolResult({ content, structuredContent }: PrintedResult): string {
  const lines = content.map(itemText);
  if (lines.length === 0 && structuredContent !== undefined)
    lines.push(JSON.stringify(structuredContent, null, 2));
  return lines.map((line) => `${line}\n`).join('');
}
