import type { ContentItem, ToolResult } from '../client/gateway-client.ts';

/** The same JSON, laid out for people; a text that would not come back the same stays as it is. */
export function laidOut(text: string): string {
  if (!/^[[{]/u.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}

function itemText(item: ContentItem): string {
  if (typeof item.text === 'string') return laidOut(item.text);
  const { type, mimeType, data, uri } = item;
  const size = typeof data === 'string' ? `, ${data.length.toString()} characters of base64` : '';
  const facts = [mimeType, uri].filter((fact) => typeof fact === 'string').join(' ');
  return type === 'resource'
    ? JSON.stringify(item['resource'], null, 2)
    : `[${type} ${facts}${size}]`;
}

/** A result for people: its items one below the other; what has no text is named. */
export function resultText({ content, structuredContent }: ToolResult): string {
  const lines = content.map(itemText);
  if (lines.length === 0 && structuredContent !== undefined)
    lines.push(JSON.stringify(structuredContent, null, 2));
  return lines.map((line) => `${line}\n`).join('');
}
