import { parse, stringify } from 'smol-toml';
import { CLIENT_SHAPES, type ClientId } from './clients.ts';
import { isJsonObject, type ConfigObject, readOwnField } from './json.ts';
import { findMembers, parseJson, withoutMark } from './json-text.ts';
import { readServer } from './servers/read-server.ts';
import { type ObjectNode, tokenize } from '@humanwhocodes/momoa';

export type GatewayEndpoint =
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    };

export interface NamedEndpoint {
  readonly name: string;
  readonly endpoint: GatewayEndpoint;
}

type ClientEntry =
  | { readonly ok: true; readonly entry: ConfigObject }
  | { readonly ok: false; readonly problem: string };

/** Returns the entry by which a client reaches the gateway, in the fields of that client. */
const createClientEntry = (client: ClientId, endpoint: GatewayEndpoint): ClientEntry => {
  const { title, urlKey, headersKey = 'headers', isTyped } = CLIENT_SHAPES[client];
  if (endpoint.kind === 'stdio') {
    const { command, args, env } = endpoint;
    return {
      ok: true,
      entry: {
        ...(isTyped && { type: 'stdio' }),
        ...(client === 'zed' && { source: 'custom' }),
        command,
        args,
        ...(env !== undefined && { env }),
      },
    };
  }
  if (urlKey === undefined)
    return {
      ok: false,
      problem: `${title} cannot be configured with a URL in its file: use a command (stdio)`,
    };
  const { url, headers = {} } = endpoint;
  return {
    ok: true,
    entry: {
      ...(isTyped && { type: 'http' }),
      [urlKey]: url,
      ...(Object.keys(headers).length > 0 && { [headersKey]: headers }),
    },
  };
};

export type RenderedConfig =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** Returns a whole configuration file of a client with the gateway as its only server. It ends with a line break. */
export const renderConfig = (
  client: ClientId,
  { name, endpoint }: NamedEndpoint,
): RenderedConfig => {
  const rendered = createClientEntry(client, endpoint);
  if (!rendered.ok) return rendered;
  const { format, parent } = CLIENT_SHAPES[client];
  const document = { [parent]: Object.fromEntries([[name, rendered.entry]]) };
  const text = format === 'toml' ? stringify(document) : JSON.stringify(document, undefined, 2);
  return { ok: true, text: text.endsWith('\n') ? text : `${text}\n` };
};

export interface ClientServer {
  readonly source: string;
  /** The arguments of `core_mcpserver_create`, except the name. */
  readonly definition: ConfigObject;
}

/**
 * Returns the server that has a name in a configuration of a client, which `mergeConfig` would replace; `undefined` when there is none.
 *
 * @param file a text that `mergeConfig` accepts
 */
export const findEntry = (
  client: ClientId,
  file: string,
  name: string,
): ClientServer | undefined => {
  const { format, parent } = CLIENT_SHAPES[client];
  const text = withoutMark(file);
  const json = format === 'json' ? parseJson(text) : undefined;
  const document = json === undefined ? parse(text) : json.ok && json.value;
  const value = readOwnField(readOwnField(document, parent), name);
  return value === undefined
    ? undefined
    : { source: name, definition: readServer(value).definition };
};

interface ServerEntry {
  readonly parent: string;
  readonly name: string;
  readonly entry: ConfigObject;
}

const refuseText = (problem: string): RenderedConfig => ({ ok: false, problem });

const refuseFormat = (format: 'JSON' | 'TOML'): RenderedConfig =>
  refuseText(`the file is not valid ${format}: correct it, or add the entry by hand`);

const refuseDuplicateKey = (key: string): RenderedConfig =>
  refuseText(`the file has the key ${JSON.stringify(key)} more than once: remove one of them`);

const OTHER_FORM = refuseText(
  'the file writes its servers in a form that cannot be changed in place: add the entry by hand',
);

/** Returns a document with the server. A key that exists keeps its place. */
const withServer = (document: unknown, { parent, name, entry }: ServerEntry): ConfigObject => {
  const withValue = (object: unknown, key: string, value: unknown): ConfigObject => {
    const members = Object.entries(isJsonObject(object) ? object : {});
    return Object.fromEntries(
      readOwnField(object, key) === undefined
        ? [...members, [key, value]]
        : members.map(([name, old]) => [name, name === key ? value : old]),
    );
  };
  return withValue(document, parent, withValue(readOwnField(document, parent), name, entry));
};

interface Layout {
  readonly lineBreak: string;
  readonly indent: string;
  /** The number of objects around a member. */
  readonly depth: number;
}

/** Returns the layout of a text; the first member of the outermost object shows the indentation. */
const findLayout = (text: string, root: ObjectNode, depth: number): Layout => {
  const before = text.slice(0, root.members[0]?.loc.start.offset ?? 0);
  return {
    lineBreak: text.includes('\r\n') ? '\r\n' : '\n',
    depth,
    indent: /\n([ \t]+)$/u.exec(before.slice(before.lastIndexOf('\n')))?.[1] ?? '  ',
  };
};

const printValue = (value: unknown, { lineBreak, indent, depth }: Layout): string =>
  JSON.stringify(value, undefined, indent).replaceAll('\n', lineBreak + indent.repeat(depth));

/** Returns the text with a new last member in an object. Comments stay where they are. */
const withMember = (
  text: string,
  object: ObjectNode,
  [key, value]: readonly [string, unknown],
  layout: Layout,
): string => {
  const { lineBreak, indent, depth } = layout;
  const last = object.members.at(-1)?.loc.end.offset;
  const start = last ?? object.loc.start.offset + 1;
  const end = object.loc.end.offset - 1;
  const between = text.slice(start, end);
  const hasComma = tokenize(between, { mode: 'jsonc' }).some(({ type }) => type === 'Comma');
  const comma = last === undefined || hasComma ? '' : ',';
  const inner = lineBreak + indent.repeat(depth);
  const outer = lineBreak + indent.repeat(depth - 1);
  const member = `${JSON.stringify(key)}: ${printValue(value, layout)}`;
  return `${text.slice(0, start)}${comma}${between.trimEnd()}${inner}${member}${outer}${text.slice(end)}`;
};

const mergeServer = (text: string, root: ObjectNode, server: ServerEntry): RenderedConfig => {
  const { name, entry, parent } = server;
  const [servers, otherServers] = findMembers(root, parent);
  if (otherServers !== undefined) return refuseDuplicateKey(parent);
  if (servers === undefined) {
    const added = [parent, Object.fromEntries([[name, entry]])] as const;
    return { ok: true, text: withMember(text, root, added, findLayout(text, root, 1)) };
  }
  if (servers.value.type !== 'Object')
    return refuseText(`${JSON.stringify(parent)} in the file is not an object: correct it first`);
  const [known, other] = findMembers(servers.value, name);
  if (other !== undefined) return refuseDuplicateKey(name);
  const layout = findLayout(text, root, 2);
  if (known === undefined)
    return { ok: true, text: withMember(text, servers.value, [name, entry], layout) };
  const { start, end } = known.value.loc;
  const replaced = text.slice(0, start.offset) + printValue(entry, layout) + text.slice(end.offset);
  return { ok: true, text: replaced };
};

/**
 * Returns a JSON configuration with a server added or replaced. Everything else keeps its text: other keys, order, comments, indentation. An
 * empty text becomes a new configuration. The result is parsed and compared, so that no other value can have changed.
 */
const mergeJson = (file: string, server: ServerEntry): RenderedConfig => {
  const text = withoutMark(file);
  const mark = file.slice(0, file.length - text.length);
  if (text.trim() === '') {
    const document = withServer({}, server);
    return { ok: true, text: `${mark}${JSON.stringify(document, undefined, 2)}\n` };
  }
  const before = parseJson(text);
  if (!before.ok) return refuseFormat('JSON');
  if (before.tree.type !== 'Object')
    return refuseText('the file is not a JSON object: correct it first');
  const merged = mergeServer(text, before.tree, server);
  if (!merged.ok) return merged;
  const after = parseJson(merged.text);
  return after.ok &&
    JSON.stringify(after.value) === JSON.stringify(withServer(before.value, server))
    ? { ok: true, text: mark + merged.text }
    : OTHER_FORM;
};

const HEADER = /^[ \t]*\[{1,2}([^\r\n]*?)\]{1,2}[ \t]*(?:#.*)?$/u;

const parseToml = (text: string): ConfigObject | undefined => {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
};

/** Returns the keys of a table header such as `[mcp_servers."my server"]`. */
const parseHeader = (line: string): readonly string[] | undefined => {
  const inner = HEADER.exec(line)?.[1];
  if (inner === undefined) return undefined;
  const path: string[] = [];
  let at: unknown = parseToml(`${inner} = 0`);
  while (isJsonObject(at)) {
    const [entry] = Object.entries(at);
    if (entry === undefined) return undefined;
    path.push(entry[0]);
    at = entry[1];
  }
  return path.length === 0 ? undefined : path;
};

/** Returns lines with the tables of a server in place of the old ones, or at the end. Blank lines and comments before the next table stay. */
const withTables = (
  lines: readonly string[],
  { parent, name, entry }: ServerEntry,
): readonly string[] => {
  const rest: string[] = [];
  let at: number | undefined;
  let comments: string[] = [];
  let isInside = false;
  for (const line of lines) {
    const path = parseHeader(line);
    if (path !== undefined) {
      isInside = path[0] === parent && path[1] === name;
      if (isInside) at ??= rest.length;
      else rest.push(...comments);
      comments = [];
    }
    if (!isInside) rest.push(line);
    else if (/^\s*(?:#.*)?$/u.test(line)) comments.push(line);
    else comments = [];
  }
  rest.push(...comments);
  const tables = stringify({ [parent]: Object.fromEntries([[name, entry]]) })
    .trimEnd()
    .split('\n');
  if (at !== undefined) return [...rest.slice(0, at), ...tables, ...rest.slice(at)];
  const end = rest.findLastIndex((line) => line.trim() !== '') + 1;
  return [...rest.slice(0, end), ...(end === 0 ? [] : ['']), ...tables, ''];
};

/** Returns a text that is equal for equal values, whatever the order of their keys. */
const toCanonicalText = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part) && !(part instanceof Date)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/**
 * Returns a TOML configuration with the tables of a server added or replaced. Everything else keeps its text. The result is parsed and
 * compared, so that no other value can have changed; servers in other forms than tables are refused.
 */
const mergeToml = (file: string, server: ServerEntry): RenderedConfig => {
  const text = withoutMark(file);
  const before = parseToml(text);
  if (before === undefined) return refuseFormat('TOML');
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const merged = withTables(text.split(/\r?\n/u), server).join(lineBreak);
  const after = parseToml(merged);
  return after !== undefined &&
    toCanonicalText(after) === toCanonicalText(withServer(before, server))
    ? { ok: true, text: merged }
    : OTHER_FORM;
};

/** The most characters of a configuration that is changed in place. */
const MAX_CHARS = 10_000_000;

/**
 * Returns a configuration file of a client with the gateway added or replaced. Everything else in the text stays: other servers, other
 * settings, comments, order and indentation. An empty text becomes a new configuration.
 */
export const mergeConfig = (
  client: ClientId,
  file: string,
  { name, endpoint }: NamedEndpoint,
): RenderedConfig => {
  const rendered = createClientEntry(client, endpoint);
  if (!rendered.ok) return rendered;
  if (file.length > MAX_CHARS)
    return refuseText(
      `the file has more than ${MAX_CHARS.toLocaleString('en')} characters: add the entry by hand`,
    );
  const { format, parent } = CLIENT_SHAPES[client];
  const merge = format === 'toml' ? mergeToml : mergeJson;
  return merge(file, { parent, name, entry: rendered.entry });
};
