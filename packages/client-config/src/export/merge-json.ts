import { isJsonObject, ownValue, type JsonObject } from '../reading/json-object.ts';
import { jsonExtent, type JsonExtent, type JsonMember } from '../reading/json-members.ts';
import { strictJson, withoutMark } from '../reading/relaxed-json.ts';
import { notMerged, type MergedConfig, type MergeRefusal } from './merge-refusal.ts';

/** A server to add to a configuration, or to replace in it. */
export interface ServerEntry {
  /** The key of the object with the servers. */
  readonly parent: string;
  readonly name: string;
  readonly entry: JsonObject;
}

const INDENT = /\n([ \t]+)$/u;
const DEFAULT_INDENT = '  ';

/** The line break and the indentation that a text uses. */
interface Layout {
  readonly lineBreak: string;
  readonly indent: string;
}

/** Returns the layout of a text; the first member of the outermost object shows the indentation. */
const layoutOf = (text: string, root: JsonExtent): Layout => {
  const before = text.slice(0, root.members[0]?.keyStart ?? 0);
  return {
    lineBreak: text.includes('\r\n') ? '\r\n' : '\n',
    indent: INDENT.exec(before.slice(before.lastIndexOf('\n')))?.[1] ?? DEFAULT_INDENT,
  };
};

const printed = (value: unknown, { lineBreak, indent }: Layout, depth: number): string =>
  JSON.stringify(value, undefined, indent).replaceAll('\n', lineBreak + indent.repeat(depth));

/** Returns the text with a new last member in an object. Comments stay where they are. */
const withMember = (
  text: string,
  extent: JsonExtent,
  { member, depth, layout }: { member: string; depth: number; layout: Layout },
): string => {
  const { lineBreak, indent } = layout;
  const last = extent.members.at(-1)?.valueEnd;
  const before = text.slice(0, last ?? extent.start + 1);
  const comma = last === undefined || extent.hasTrailingComma ? '' : ',';
  const between = text.slice(before.length, extent.end).trimEnd();
  const inner = lineBreak + indent.repeat(depth);
  const outer = lineBreak + indent.repeat(depth - 1);
  return `${before}${comma}${between}${inner}${member}${outer}${text.slice(extent.end)}`;
};

const memberText = (key: string, value: unknown, layout: Layout, depth: number): string =>
  `${JSON.stringify(key)}: ${printed(value, layout, depth)}`;

type Found = { readonly member?: JsonMember } | { readonly refusal: MergeRefusal };

const findMember = ({ members }: JsonExtent, key: string): Found => {
  const [member, second] = members.filter((each) => each.key === key);
  if (second !== undefined) return { refusal: { code: 'repeated-key', key } };
  return member === undefined ? {} : { member };
};

const mergedInto = (text: string, extent: JsonExtent, server: ServerEntry): MergedConfig => {
  const { name, entry, parent } = server;
  const layout = layoutOf(text, extent);
  const found = findMember(extent, parent);
  if ('refusal' in found) return notMerged(found.refusal);
  if (found.member === undefined) {
    const added = memberText(parent, Object.fromEntries([[name, entry]]), layout, 1);
    return { ok: true, text: withMember(text, extent, { member: added, depth: 1, layout }) };
  }
  const servers = jsonExtent(text, found.member.valueStart);
  if (servers === undefined) return notMerged({ code: 'not-an-object', key: parent });
  const known = findMember(servers, name);
  if ('refusal' in known) return notMerged(known.refusal);
  if (known.member === undefined)
    return {
      ok: true,
      text: withMember(text, servers, {
        ...{ member: memberText(name, entry, layout, 2), depth: 2, layout },
      }),
    };
  const { valueStart, valueEnd } = known.member;
  const replaced = text.slice(0, valueStart) + printed(entry, layout, 2) + text.slice(valueEnd);
  return { ok: true, text: replaced };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(strictJson(text)) as unknown;
  } catch {
    return undefined;
  }
};

const withOwn = (object: unknown, key: string, value: unknown): JsonObject =>
  Object.fromEntries([
    ...Object.entries(isJsonObject(object) ? object : {}).map(([name, old]) =>
      name === key ? [name, value] : [name, old],
    ),
    ...(ownValue(object, key) === undefined ? [[key, value] as const] : []),
  ] as readonly (readonly [string, unknown])[]);

/**
 * Returns a JSON configuration with a server added or replaced. Everything else keeps its text: other keys, order, comments, indentation. An
 * empty text becomes a new configuration. The result is parsed and compared, so that no other value can have changed.
 */
export const mergeJson = (file: string, server: ServerEntry): MergedConfig => {
  const { parent, name, entry } = server;
  const text = withoutMark(file);
  const mark = file.slice(0, file.length - text.length);
  if (text.trim() === '') {
    const document = { [parent]: Object.fromEntries([[name, entry]]) };
    return { ok: true, text: `${mark}${JSON.stringify(document, undefined, 2)}\n` };
  }
  const before = parsed(text);
  if (before === undefined) return notMerged({ code: 'not-readable', format: 'JSON' });
  const extent = jsonExtent(text, 0);
  if (!isJsonObject(before) || extent === undefined) return notMerged({ code: 'not-an-object' });
  const merged = mergedInto(text, extent, server);
  if (!merged.ok) return merged;
  const expected = withOwn(before, parent, withOwn(ownValue(before, parent), name, entry));
  return JSON.stringify(parsed(merged.text)) === JSON.stringify(expected)
    ? { ok: true, text: mark + merged.text }
    : notMerged({ code: 'other-form' });
};
