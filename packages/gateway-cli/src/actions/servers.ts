import { toObject, toList, type JsonObject } from '@gateway/call-contract';
import { type CommandResult, escapeToLine, escapeToLines } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import {
  askCoreTool,
  requestCoreTool,
  type ClientArguments,
  toText,
} from '../client/request-gateway.ts';
import { listEntries, formatField, indentJson } from '../json-fields.ts';
import {
  createStyle,
  formatTerminalTable,
  createFieldColumn,
  writeRows,
  type TextStyle,
  writeValue,
} from '../output.ts';
import { withSuggestion } from './names.ts';

/** Styles of the states. @spec §2.6 */
const STYLES: Readonly<Record<string, TextStyle>> = {
  Running: 'green',
  Connected: 'green',
  Failed: 'red',
  'Auth Required': 'yellow',
};

const findStateStyle = (server: JsonObject): TextStyle | undefined => {
  const state = formatField(server, 'state');
  return Object.hasOwn(STYLES, state) ? STYLES[state] : undefined;
};

export async function listServers(args: ClientArguments, io: CliIo): Promise<CommandResult> {
  const options = { showAll: true, verbose: true };
  const value = await askCoreTool(args, io, 'core_mcpserver_list', options);
  const servers = [
    ...listEntries(value, 'mcpServers').map(toCallerRow),
    ...listEntries(value, 'refused').map(toInvalidRow),
  ];
  writeRows(io, args.output, servers, {
    empty: 'no servers\n',
    columns: [
      createFieldColumn('NAME', 'name'),
      createFieldColumn('TYPE', 'type'),
      createFieldColumn('STATE', 'state', findStateStyle),
      createFieldColumn('TOOLS', 'toolsCount'),
      { title: 'NOTE', cell: formatNote },
    ],
  });
  return 'succeeded';
}

/** Shows the user's own connection to a server that users sign in to. */
const toCallerRow = (server: JsonObject): JsonObject => {
  const { status, toolsCount } = toObject(server['signIn']);
  return status === 'connected'
    ? { ...server, state: 'Connected', toolsCount, statusMessage: '', error: '' }
    : server;
};

const toInvalidRow = ({ name, problems }: JsonObject): JsonObject => ({
  name,
  state: 'not valid',
  error: Array.isArray(problems) ? String(problems[0]) : '',
  problems,
});

const formatNote = (server: JsonObject): string =>
  formatField(server, 'error') ||
  formatField(server, 'statusMessage') ||
  formatField(server, 'description');

/** Shows one server: its definition, state, conditions and changed tools. */
export async function getServer(
  name: string,
  args: ClientArguments,
  io: CliIo,
): Promise<CommandResult> {
  const value = await withSuggestion({ kind: 'servers', name }, { place: args, io }, () =>
    askCoreTool(args, io, 'core_mcpserver_get', { name }),
  );
  writeValue(io, args.output, value, () => formatServer(toObject(value), io));
  return 'succeeded';
}

function formatServer(server: JsonObject, io: CliIo): string {
  const style = createStyle(io);
  const { status, toolChanges, ...facts } = server;
  const width = Math.max(0, ...Object.keys(facts).map((key) => key.length));
  const lines = Object.entries(facts).map(([key, value]) => {
    const valueStyle = key === 'state' ? findStateStyle(server) : undefined;
    const text =
      typeof value === 'object' ? formatBlock(value) : escapeToLine(formatField(server, key));
    return `${style('bold', escapeToLine(key).padEnd(width))}  ${valueStyle === undefined ? text : style(valueStyle, text)}\n`;
  });
  return [
    ...lines,
    formatToolChanges(listEntries({ toolChanges }, 'toolChanges'), io),
    formatConditions(status, io),
  ].join('');
}

function formatToolChanges(changes: readonly JsonObject[], io: CliIo): string {
  if (changes.length === 0) return '';
  const text = formatTerminalTable(io, changes, [
    createFieldColumn('CHANGED TOOL', 'tool'),
    createFieldColumn('AT', 'at'),
    { title: 'HINT', cell: formatChangeHint },
    { title: 'FIELDS', cell: (change) => toList(change['fields']).map(String).join(', ') },
  ]);
  return `\n${text}`;
}

const formatChangeHint = (change: JsonObject): string => {
  if (change['held'] === true) return 'held';
  return change['hintWidened'] === true ? 'widened' : '';
};

function formatConditions(status: unknown, io: CliIo): string {
  const conditions = listEntries(status, 'conditions');
  if (conditions.length === 0) return '';
  const text = formatTerminalTable(io, conditions, [
    createFieldColumn('CONDITION', 'type'),
    createFieldColumn('STATUS', 'status'),
    createFieldColumn('REASON', 'reason'),
    createFieldColumn('SINCE', 'lastTransitionTime'),
    createFieldColumn('MESSAGE', 'message'),
  ]);
  return `\n${text}`;
}

/** Returns a short value on one line and a long one on indented lines. */
function formatBlock(value: unknown): string {
  const line = JSON.stringify(value);
  if (line.length <= 60 || (Array.isArray(value) && toList(value).length === 0))
    return escapeToLine(line);
  return escapeToLines(indentJson(line)).replaceAll('\n', '\n    ').replace(/^/u, '\n    ');
}

export async function controlServer(
  tool: string,
  parameters: { readonly name: string; readonly tools?: readonly string[] },
  args: ClientArguments,
  io: CliIo,
): Promise<CommandResult> {
  const named = { kind: 'servers', name: parameters.name } as const;
  const result = await withSuggestion(named, { place: args, io }, () =>
    requestCoreTool(args, io, tool, parameters),
  );
  writeValue(
    io,
    args.output,
    result.structuredContent ?? { message: toText(result) },
    () => `${escapeToLines(indentJson(toText(result)))}\n`,
  );
  return 'succeeded';
}

/** Accepts the named tools of a server as it declares them now; all when none is named. */
export const acceptTools = (
  name: string,
  tools: readonly string[],
  args: ClientArguments,
  io: CliIo,
): Promise<CommandResult> =>
  controlServer('core_mcpserver_accept', { name, ...(tools.length > 0 && { tools }) }, args, io);
