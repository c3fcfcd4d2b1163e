import { tokenize, type ObjectNode } from '@humanwhocodes/momoa';
import { isJsonObject, ownValue, type JsonObject } from '../reading/json-object.ts';
import { membersNamed, parseJson, withoutMark } from '../reading/json-text.ts';
import { notMerged, type MergedConfig } from './merge-refusal.ts';

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
const layoutOf = (text: string, root: ObjectNode): Layout => {
  const before = text.slice(0, root.members[0]?.loc.start.offset ?? 0);
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
  object: ObjectNode,
  { member, depth, layout }: { member: string; depth: number; layout: Layout },
): string => {
  const { lineBreak, indent } = layout;
  const last = object.members.at(-1)?.loc.end.offset;
  const start = last ?? object.loc.start.offset + 1;
  const end = object.loc.end.offset - 1;
  const between = text.slice(start, end);
  const hasComma = tokenize(between, { mode: 'jsonc' }).some(({ type }) => type === 'Comma');
  const comma = last === undefined || hasComma ? '' : ',';
  const inner = lineBreak + indent.repeat(depth);
  const outer = lineBreak + indent.repeat(depth - 1);
  return `${text.slice(0, start)}${comma}${between.trimEnd()}${inner}${member}${outer}${text.slice(end)}`;
};

const memberText = (key: string, value: unknown, layout: Layout, depth: number): string =>
  `${JSON.stringify(key)}: ${printed(value, layout, depth)}`;

const mergedInto = (text: string, root: ObjectNode, server: ServerEntry): MergedConfig => {
  const { name, entry, parent } = server;
  const layout = layoutOf(text, root);
  const [servers, otherServers] = membersNamed(root, parent);
  if (otherServers !== undefined) return notMerged({ code: 'repeated-key', key: parent });
  if (servers === undefined) {
    const member = memberText(parent, Object.fromEntries([[name, entry]]), layout, 1);
    return { ok: true, text: withMember(text, root, { member, depth: 1, layout }) };
  }
  if (servers.value.type !== 'Object') return notMerged({ code: 'not-an-object', key: parent });
  const [known, other] = membersNamed(servers.value, name);
  if (other !== undefined) return notMerged({ code: 'repeated-key', key: name });
  if (known === undefined) {
    const member = memberText(name, entry, layout, 2);
    return { ok: true, text: withMember(text, servers.value, { member, depth: 2, layout }) };
  }
  const { start, end } = known.value.loc;
  const replaced = text.slice(0, start.offset) + printed(entry, layout, 2) + text.slice(end.offset);
  return { ok: true, text: replaced };
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
  const before = parseJson(text);
  if (!before.ok) return notMerged({ code: 'not-readable', format: 'JSON' });
  if (before.tree.type !== 'Object') return notMerged({ code: 'not-an-object' });
  const merged = mergedInto(text, before.tree, server);
  if (!merged.ok) return merged;
  const servers = withOwn(ownValue(before.value, parent), name, entry);
  const after = parseJson(merged.text);
  return after.ok &&
    JSON.stringify(after.value) === JSON.stringify(withOwn(before.value, parent, servers))
    ? { ok: true, text: mark + merged.text }
    : notMerged({ code: 'other-form' });
};
