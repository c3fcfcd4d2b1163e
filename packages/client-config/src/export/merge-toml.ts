import { parse, stringify } from 'smol-toml';
import { isJsonObject, ownValue, type JsonObject } from '../reading/json-object.ts';
import { withoutMark } from '../reading/json-text.ts';
import type { ServerEntry } from './merge-json.ts';
import { notMerged, type MergedConfig } from './merge-refusal.ts';

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
export const mergeToml = (file: string, server: ServerEntry): MergedConfig => {
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
