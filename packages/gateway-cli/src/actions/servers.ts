import { type CommandResult, escapeToLines, escapeToLine } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import { textOf, valueOf } from '../client/result-text.ts';
import type { ClientArguments } from '../arguments/client-arguments.ts';
import { entriesOf, fieldsOf, listOf, shown, type Fields } from '../output/json-fields.ts';
import { laidOut } from '../output/result-lines.ts';
import { styleOf, type Look } from '../output/style.ts';
import { tableText } from '../output/table-text.ts';
import { writeValue } from '../output/write-value.ts';
import { askedCore, connected } from './connected.ts';

/** Styles of the states. @spec §2.6 */
const LOOKS: Readonly<Record<string, Look>> = {
  Running: 'green',
  Connected: 'green',
  Failed: 'red',
  'Auth Required': 'yellow',
};

const lookOf = (server: Fields): Look | undefined => {
  const state = shown(server, 'state');
  return Object.hasOwn(LOOKS, state) ? LOOKS[state] : undefined;
};

/** Lists every server with its state and its problem. */
export async function listServers(args: ClientArguments, io: CliIo): Promise<CommandResult> {
  const asked = { showAll: true, verbose: true };
  const value = await connected(args, async (gateway) =>
    valueOf(await askedCore(gateway, 'core_mcpserver_list', asked)),
  );
  const servers = [...entriesOf(value, 'mcpServers'), ...entriesOf(value, 'refused').map(refused)];
  writeValue(io, args.output, servers, () =>
    servers.length === 0
      ? 'no servers\n'
      : tableText(io, servers, [
          { title: 'NAME', cell: (server) => shown(server, 'name') },
          { title: 'TYPE', cell: (server) => shown(server, 'type') },
          { title: 'STATE', cell: (server) => shown(server, 'state'), look: lookOf },
          { title: 'TOOLS', cell: (server) => shown(server, 'toolsCount') },
          { title: 'NOTE', cell: noteOf },
        ]),
  );
  return 'succeeded';
}

/** Returns the row of a server whose definition is invalid. */
const refused = ({ name, problems }: Fields): Fields => ({
  name,
  state: 'not valid',
  error: Array.isArray(problems) ? String(problems[0]) : '',
  problems,
});

const noteOf = (server: Fields): string =>
  shown(server, 'error') || shown(server, 'statusMessage') || shown(server, 'description');

/** Shows one server: its definition, state, conditions and changed tools. */
export async function getServer(
  name: string,
  args: ClientArguments,
  io: CliIo,
): Promise<CommandResult> {
  const value = await connected(args, async (gateway) =>
    valueOf(await askedCore(gateway, 'core_mcpserver_get', { name })),
  );
  writeValue(io, args.output, value, () => serverText(fieldsOf(value), io));
  return 'succeeded';
}

function serverText(server: Fields, io: CliIo): string {
  const style = styleOf(io.stdout, io.env);
  const { status, toolChanges, ...facts } = server;
  const width = Math.max(0, ...Object.keys(facts).map((key) => key.length));
  const lines = Object.entries(facts).map(([key, value]) => {
    const look = key === 'state' ? lookOf(server) : undefined;
    const text = typeof value === 'object' ? blockOf(value) : escapeToLine(shown(server, key));
    return `${style('bold', escapeToLine(key).padEnd(width))}  ${look === undefined ? text : style(look, text)}\n`;
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
    { title: 'CHANGED TOOL', cell: (change) => shown(change, 'tool') },
    { title: 'AT', cell: (change) => shown(change, 'at') },
    { title: 'HINT', cell: hintWord },
    { title: 'FIELDS', cell: (change) => listOf(change['fields']).map(String).join(', ') },
  ]);
  return `\n${text}`;
}

const hintWord = (change: Fields): string => {
  if (change['held'] === true) return 'held';
  return change['hintWidened'] === true ? 'widened' : '';
};

/** Returns the table of conditions. The rest of the status is among the facts. */
function conditionsText(status: unknown, io: CliIo): string {
  const conditions = entriesOf(status, 'conditions');
  if (conditions.length === 0) return '';
  const text = tableText(io, conditions, [
    { title: 'CONDITION', cell: (condition) => shown(condition, 'type') },
    { title: 'STATUS', cell: (condition) => shown(condition, 'status') },
    { title: 'REASON', cell: (condition) => shown(condition, 'reason') },
    { title: 'SINCE', cell: (condition) => shown(condition, 'lastTransitionTime') },
    { title: 'MESSAGE', cell: (condition) => shown(condition, 'message') },
  ]);
  return `\n${text}`;
}

/** Returns a short value on one line and a long one on indented lines. */
function blockOf(value: unknown): string {
  const line = JSON.stringify(value);
  if (line.length <= 60 || (Array.isArray(value) && listOf(value).length === 0))
    return escapeToLine(line);
  return escapeToLines(laidOut(line)).replaceAll('\n', '\n    ').replace(/^/u, '\n    ');
}

/** A command for one server. */
export interface ServerCommand {
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
  const result = await connected(args, (gateway) => askedCore(gateway, tool, { name, ...more }));
  writeValue(
    io,
    args.output,
    result.structuredContent ?? { message: textOf(result) },
    () => `${escapeToLines(laidOut(textOf(result)))}\n`,
  );
  return 'succeeded';
}
