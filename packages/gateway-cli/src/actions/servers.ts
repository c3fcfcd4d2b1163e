import { type CommandResult, escapeToLine, escapeToLines } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import {
  callCoreTool,
  requestCoreTool,
  type ClientArguments,
  textOf,
  withClient,
} from '../client/request-gateway.ts';
import {
  entriesOf,
  type Fields,
  fieldsOf,
  fieldText,
  indentJson,
  listOf,
} from '../output/json-fields.ts';
import { styleOf, tableText, type TextStyle, writeValue } from '../output/table.ts';
import { withSuggestion } from './names.ts';

/** Styles of the states. @spec §2.6 */
const STYLES: Readonly<Record<string, TextStyle>> = {
  Running: 'green',
  Connected: 'green',
  Failed: 'red',
  'Auth Required': 'yellow',
};

const stateStyle = (server: Fields): TextStyle | undefined => {
  const state = fieldText(server, 'state');
  return Object.hasOwn(STYLES, state) ? STYLES[state] : undefined;
};

/** Lists every server with its state and its problem. */
export async function listServers(args: ClientArguments, io: CliIo): Promise<CommandResult> {
  const options = { showAll: true, verbose: true };
  const value = await withClient({ ...args, io }, (gateway) =>
    callCoreTool(gateway, 'core_mcpserver_list', options),
  );
  const servers = [
    ...entriesOf(value, 'mcpServers'),
    ...entriesOf(value, 'refused').map(invalidServerRow),
  ];
  writeValue(io, args.output, servers, () =>
    servers.length === 0
      ? 'no servers\n'
      : tableText(io, servers, [
          { title: 'NAME', cell: (server) => fieldText(server, 'name') },
          { title: 'TYPE', cell: (server) => fieldText(server, 'type') },
          { title: 'STATE', cell: (server) => fieldText(server, 'state'), style: stateStyle },
          { title: 'TOOLS', cell: (server) => fieldText(server, 'toolsCount') },
          { title: 'NOTE', cell: noteOf },
        ]),
  );
  return 'succeeded';
}

/** Returns the row of a server whose definition is invalid. */
const invalidServerRow = ({ name, problems }: Fields): Fields => ({
  name,
  state: 'not valid',
  error: Array.isArray(problems) ? String(problems[0]) : '',
  problems,
});

const noteOf = (server: Fields): string =>
  fieldText(server, 'error') ||
  fieldText(server, 'statusMessage') ||
  fieldText(server, 'description');

/** Shows one server: its definition, state, conditions and changed tools. */
export async function getServer(
  name: string,
  args: ClientArguments,
  io: CliIo,
): Promise<CommandResult> {
  const value = await withSuggestion({ kind: 'servers', name }, { place: args, io }, () =>
    withClient({ ...args, io }, (gateway) => callCoreTool(gateway, 'core_mcpserver_get', { name })),
  );
  writeValue(io, args.output, value, () => serverText(fieldsOf(value), io));
  return 'succeeded';
}

function serverText(server: Fields, io: CliIo): string {
  const style = styleOf(io.stdout, io.env);
  const { status, toolChanges, ...facts } = server;
  const width = Math.max(0, ...Object.keys(facts).map((key) => key.length));
  const lines = Object.entries(facts).map(([key, value]) => {
    const valueStyle = key === 'state' ? stateStyle(server) : undefined;
    const text = typeof value === 'object' ? blockOf(value) : escapeToLine(fieldText(server, key));
    return `${style('bold', escapeToLine(key).padEnd(width))}  ${valueStyle === undefined ? text : style(valueStyle, text)}\n`;
  });
  return [
    ...lines,
    changesText(entriesOf({ toolChanges }, 'toolChanges'), io),
    conditionsText(status, io),
  ].join('');
}

/** Returns the table of tool declarations that are not accepted. */
function changesText(changes: readonly Fields[], io: CliIo): string {
  if (changes.length === 0) return '';
  const text = tableText(io, changes, [
    { title: 'CHANGED TOOL', cell: (change) => fieldText(change, 'tool') },
    { title: 'AT', cell: (change) => fieldText(change, 'at') },
    { title: 'HINT', cell: hintText },
    { title: 'FIELDS', cell: (change) => listOf(change['fields']).map(String).join(', ') },
  ]);
  return `\n${text}`;
}

const hintText = (change: Fields): string => {
  if (change['held'] === true) return 'held';
  return change['hintWidened'] === true ? 'widened' : '';
};

/** Returns the table of conditions. The rest of the status is among the facts. */
function conditionsText(status: unknown, io: CliIo): string {
  const conditions = entriesOf(status, 'conditions');
  if (conditions.length === 0) return '';
  const text = tableText(io, conditions, [
    { title: 'CONDITION', cell: (condition) => fieldText(condition, 'type') },
    { title: 'STATUS', cell: (condition) => fieldText(condition, 'status') },
    { title: 'REASON', cell: (condition) => fieldText(condition, 'reason') },
    { title: 'SINCE', cell: (condition) => fieldText(condition, 'lastTransitionTime') },
    { title: 'MESSAGE', cell: (condition) => fieldText(condition, 'message') },
  ]);
  return `\n${text}`;
}

/** Returns a short value on one line and a long one on indented lines. */
function blockOf(value: unknown): string {
  const line = JSON.stringify(value);
  if (line.length <= 60 || (Array.isArray(value) && listOf(value).length === 0))
    return escapeToLine(line);
  return escapeToLines(indentJson(line)).replaceAll('\n', '\n    ').replace(/^/u, '\n    ');
}

/** A command for one server. */
interface ServerCommand {
  readonly tool: string;
  readonly name: string;
  readonly more?: object;
}

/** Runs a command for one server and prints the answer of the gateway. */
export async function controlServer(
  { tool, name, more }: ServerCommand,
  args: ClientArguments,
  io: CliIo,
): Promise<CommandResult> {
  const result = await withSuggestion({ kind: 'servers', name }, { place: args, io }, () =>
    requestCoreTool({ ...args, io }, tool, { name, ...more }),
  );
  writeValue(
    io,
    args.output,
    result.structuredContent ?? { message: textOf(result) },
    () => `${escapeToLines(indentJson(textOf(result)))}\n`,
  );
  return 'succeeded';
}
