import { type ObjectNode, tokenize } from '@humanwhocodes/momoa';
import { parse, stringify } from 'smol-toml';
import { CLIENT_SHAPES, type ClientId } from '../clients.ts';
import {
  isJsonObject,
  type JsonObject,
  membersNamed,
  ownValue,
  parseJson,
  withoutMark,
} from '../json.ts';
import { clientEntry, type NamedEndpoint, type RenderedConfig } from './client-entry.ts';

/** The reason that a configuration cannot be changed in place. The file stays as it is. */
type MergeRefusal =
  | { readonly code: 'too-large'; readonly max: number }
  | { readonly code: 'not-readable'; readonly format: 'JSON' | 'TOML' }
  | { readonly code: 'not-an-object'; readonly key?: string }
  | { readonly code: 'repeated-key'; readonly key: string }
  | { readonly code: 'other-form' };

/** Returns the sentence of a refusal, with the remedy. */
const mergeRefusalText = (refusal: MergeRefusal): string => {
  switch (refusal.code) {
    case 'too-large':
      return `the file has more than ${refusal.max.toLocaleString('en')} characters: add the entry by hand`;
    case 'not-readable':
      return `the file is not valid ${refusal.format}: correct it, or add the entry by hand`;
    case 'not-an-object':
      return refusal.key === undefined
        ? 'the file is not a JSON object: correct it first'
        : `${JSON.stringify(refusal.key)} in the file is not an object: correct it first`;
    case 'repeated-key':
      return `the file has the key ${JSON.stringify(refusal.key)} more than once: remove one of them`;
    case 'other-form':
      return 'the file writes its servers in a form that cannot be changed in place: add the entry by hand';
  }
};

/** The changed text of a file, or the reason that it stays as it is. */
type MergedConfig =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly refusal: MergeRefusal };

/** Returns a refusal as a result. */
const notMerged = (refusal: MergeRefusal): MergedConfig => ({ ok: false, refusal });

/** A server to add to a configuration, or to replace in it. */
interface ServerEntry {
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
const mergeJson = (file: string, server: ServerEntry): MergedConfig => {
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

const HEADER = /^[ \t]*\[{1,2}([^\r\n]*?)\]{1,2}[ \t]*(?:#.*)?$/u;

const parsed = (text: string): JsonObject | undefined => {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
};

/** Returns the keys of a table header such as `[mcp_servers."my server"]`. */
const headerPath = (line: string): readonly string[] | undefined => {
  const inner = HEADER.exec(line)?.[1];
  if (inner === undefined) return undefined;
  const path: string[] = [];
  let at: unknown = parsed(`${inner} = 0`);
  while (isJsonObject(at)) {
    const [entry] = Object.entries(at);
    if (entry === undefined) return undefined;
    path.push(entry[0]);
    at = entry[1];
  }
  return path.length === 0 ? undefined : path;
};

const isComment = (line: string | undefined): boolean => /^\s*(?:#.*)?$/u.test(line ?? 'x');

/** The lines of a file without the tables of a server, and the line at which the first of them was. */
interface Removed {
  readonly lines: readonly string[];
  readonly at: number | undefined;
}

/** Removes the tables of a server. Blank lines and comments before the next table belong to that one. */
const withoutServer = (lines: readonly string[], { parent, name }: ServerEntry): Removed => {
  const kept: string[] = [];
  let at: number | undefined;
  let held: string[] = [];
  let isInside = false;
  for (const line of lines) {
    const path = headerPath(line);
    if (path !== undefined) {
      isInside = path[0] === parent && path[1] === name;
      if (isInside) at ??= kept.length;
      else kept.push(...held);
      held = [];
    }
    if (!isInside) kept.push(line);
    else if (isComment(line)) held.push(line);
    else held = [];
  }
  return { lines: [...kept, ...held], at };
};

const block = ({ parent, name, entry }: ServerEntry): readonly string[] =>
  stringify({ [parent]: Object.fromEntries([[name, entry]]) })
    .trimEnd()
    .split('\n');

const inserted = ({ lines, at }: Removed, server: ServerEntry): readonly string[] => {
  if (at !== undefined) return [...lines.slice(0, at), ...block(server), ...lines.slice(at)];
  const end = lines.findLastIndex((line) => line.trim() !== '') + 1;
  return [...lines.slice(0, end), ...(end === 0 ? [] : ['']), ...block(server), ''];
};

/** Returns a text that is equal for equal values, whatever the order of their keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part) && !(part instanceof Date)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

const withServer = (document: JsonObject, { parent, name, entry }: ServerEntry): JsonObject => {
  const servers = ownValue(document, parent);
  const changed = Object.fromEntries([
    ...Object.entries(isJsonObject(servers) ? servers : {}).filter(([key]) => key !== name),
    [name, entry],
  ]);
  return Object.fromEntries([
    ...Object.entries(document).filter(([key]) => key !== parent),
    [parent, changed],
  ]);
};

/**
 * Returns a TOML configuration with the tables of a server added or replaced. Everything else keeps its text. The result is parsed and
 * compared, so that no other value can have changed; servers in other forms than tables are refused.
 */
const mergeToml = (file: string, server: ServerEntry): MergedConfig => {
  const text = withoutMark(file);
  const before = parsed(text);
  if (before === undefined) return notMerged({ code: 'not-readable', format: 'TOML' });
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = inserted(withoutServer(text.split(/\r?\n/u), server), server);
  const merged = lines.join(lineBreak);
  const after = parsed(merged);
  return after !== undefined && canonical(after) === canonical(withServer(before, server))
    ? { ok: true, text: merged }
    : notMerged({ code: 'other-form' });
};

/** The most characters of a configuration that is changed in place. */
const MAX_CHARS = 10_000_000;

const merged = (client: ClientId, file: string, server: Parameters<typeof mergeJson>[1]) =>
  CLIENT_SHAPES[client].format === 'toml' ? mergeToml(file, server) : mergeJson(file, server);

/**
 * Returns a configuration file of a client with the gateway added or replaced. Everything else in the text stays: other servers, other
 * settings, comments, order and indentation. An empty text becomes a new configuration.
 */
export const mergeConfig = (
  client: ClientId,
  file: string,
  { name, endpoint }: NamedEndpoint,
): RenderedConfig => {
  const rendered = clientEntry(client, endpoint);
  if (!rendered.ok) return rendered;
  const { parent } = CLIENT_SHAPES[client];
  const result: MergedConfig =
    file.length > MAX_CHARS
      ? { ok: false, refusal: { code: 'too-large', max: MAX_CHARS } }
      : merged(client, file, { parent, name, entry: rendered.entry });
  return result.ok ? result : { ok: false, problem: mergeRefusalText(result.refusal) };
};
