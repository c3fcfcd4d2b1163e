import { WORKFLOW_TOOL_PREFIX, toObject, toList } from '@gateway/call-contract';
import { type CommandResult, escapeToLine } from '@gateway/service-host';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CliIo } from '../cli-io.ts';
import type { GatewayClient } from '../client/gateway-client.ts';
import {
  callCoreTool,
  callMetaTool,
  type ClientArguments,
  withClient,
} from '../client/request-gateway.ts';
import { type ArgumentKind, formatLineName, type NameKind } from '../completion/command-tree.ts';
import { CommandFailure } from '../failure.ts';
import { listEntries, formatField } from '../json-fields.ts';

const MAX_NAMES = 20_000;

const MAX_CHARS = 200;

/** Returns the next row of the table of distances: insertions, deletions and replacements of characters cost 1. Wagner and Fischer (1974) */
const computeNextRow = (row: readonly number[], char: string, other: string): readonly number[] => {
  const next = [(row[0] ?? 0) + 1];
  for (let at = 1; at < row.length; at += 1) {
    const replaced = (row[at - 1] ?? 0) + (other[at - 1] === char ? 0 : 1);
    next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
  }
  return next;
};

const computeDistance = (name: string, other: string): number => {
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const char of name.split('')) row = computeNextRow(row, char, other);
  return row.at(-1) ?? 0;
};

/**
 * Returns the name that differs least from another one, ignoring case; `undefined` when the name is among them, and when all differ in more than
 * a third of its characters: at least 1, and 2 from 4 characters on, so that two neighbours may be swapped.
 */
export function findSimilarName(name: string, names: readonly string[]): string | undefined {
  if (name.length > MAX_CHARS || names.includes(name)) return undefined;
  let most = Math.max(name.length < 4 ? 1 : 2, Math.floor(name.length / 3));
  let best: string | undefined;
  for (const other of names.slice(0, MAX_NAMES)) {
    if (other.length > MAX_CHARS || Math.abs(other.length - name.length) > most) continue;
    const distance = computeDistance(name.toLowerCase(), other.toLowerCase());
    if (distance > most) continue;
    best = other;
    most = distance - 1;
    if (most < 0) break;
  }
  return best;
}

/** The name of a workflow's execution tool; a name that is one already stays. @spec §1.4 */
export const toWorkflowTool = (name: string): string =>
  name.startsWith(WORKFLOW_TOOL_PREFIX) ? name : `${WORKFLOW_TOOL_PREFIX}${name}`;

export interface NamesArguments {
  readonly url: string;
  readonly toolset?: string;
  readonly configDir?: string;
  readonly owner?: string;
}

const YAML_FILE = /^(.+)\.ya?ml$/u;

const listFileNames = async (configDir: string): Promise<readonly string[]> =>
  (await readdir(join(configDir, 'mcpservers'))).flatMap((file) => YAML_FILE.exec(file)?.[1] ?? []);

const CORE_LISTS = {
  servers: { tool: 'core_mcpserver_list', list: 'mcpServers', args: { showAll: true } },
  workflows: { tool: 'core_workflow_list', list: 'workflows', args: {} },
} as const;

const ALL_TOOLS = { summary: true, limit: 100_000 };

const PRESETS = { include_presets: true, limit: 1 };

const listNames = (value: unknown, list: string): readonly string[] =>
  listEntries(value, list).map((entry) => formatField(entry, 'name'));

const listArguments = (tool: unknown): readonly string[] => {
  const schema = toObject(toObject(tool)['inputSchema']);
  const names = Object.keys(toObject(schema['properties']));
  const required = new Set(toList(schema['required']));
  return [
    ...names.filter((name) => required.has(name)),
    ...names.filter((name) => !required.has(name)),
  ];
};

const readArguments = async (
  gateway: GatewayClient,
  kind: ArgumentKind,
  owner: string,
): Promise<readonly string[]> => {
  const name = kind === 'workflow-arguments' ? toWorkflowTool(owner) : owner;
  return listArguments(await callMetaTool(gateway, 'describe_tool', { name }));
};

export const readNames = (
  kind: NameKind | 'presets',
  { configDir, owner = '', ...place }: NamesArguments,
  io: CliIo,
): Promise<readonly string[]> => {
  if (kind === 'files') return listFileNames(configDir ?? '.');
  return withClient({ ...place, io }, async (gateway) => {
    if (kind === 'tools')
      return listNames(await callMetaTool(gateway, 'list_tools', ALL_TOOLS), 'tools');
    if (kind === 'presets')
      return listNames(await callMetaTool(gateway, 'filter_tools', PRESETS), 'presets');
    if (kind === 'tool-arguments' || kind === 'workflow-arguments')
      return readArguments(gateway, kind, owner);
    const { tool, list, args } = CORE_LISTS[kind];
    return listNames(await callCoreTool(gateway, tool, args), list);
  });
};

/** Names come from servers. A shell gets only those that it cannot interpret. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/u;

export async function printNames(
  kind: NameKind,
  owner: string | undefined,
  args: NamesArguments,
  io: CliIo,
): Promise<CommandResult> {
  const asked = { ...args, ...(owner !== undefined && { owner }) };
  const names = await readNames(kind, asked, io).catch(() => []);
  for (const name of names.filter((each) => PLAIN.test(each)))
    io.stdout.write(`${formatLineName(kind, name)}\n`);
  return 'succeeded';
}

interface GivenName {
  readonly kind: NameKind;
  readonly name: string;
}

type Place = Pick<ClientArguments, 'url' | 'toolset'>;

/** Returns a line that names the most similar name when a text says that the given one is not found; otherwise an empty text. */
export async function formatSuggestion(
  text: string,
  { kind, name }: GivenName,
  { place, io }: { readonly place: Place; readonly io: CliIo },
): Promise<string> {
  if (!/\bnot found\b/u.test(text) || !text.includes(name)) return '';
  const similar = findSimilarName(name, await readNames(kind, place, io).catch(() => []));
  return similar === undefined ? '' : `\nDid you mean ${escapeToLine(similar)}?`;
}

/** Runs a request. Its failure names the most similar name when the gateway does not find the given one. */
export async function withSuggestion<T>(
  given: GivenName,
  place: { readonly place: Place; readonly io: CliIo },
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const suggestion = await formatSuggestion(error.message, given, place);
    if (suggestion === '') throw error;
    throw new CommandFailure(error.ending, `${error.message}${suggestion}`, error.code);
  }
}
