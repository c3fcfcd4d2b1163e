import { type JsonObject, readOwnField, toList, toObject } from '@gateway/call-contract';

/** Returns an own field as text: a string unchanged, any other value as JSON, an absent one as an empty text. */
export function formatField(fields: JsonObject, key: string): string {
  const value = readOwnField(fields, key);
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the entries of an own field that is an array, as objects. */
export const listEntries = (value: unknown, key: string): readonly JsonObject[] =>
  toList(readOwnField(value, key)).map(toObject);

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

function formatItem(item: ContentItem): string {
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
  const lines = content.map(formatItem);
  if (lines.length === 0 && structuredContent !== undefined)
    lines.push(JSON.stringify(structuredContent, null, 2));
  return lines.map((line) => `${line}\n`).join('');
}
