import { isJsonObject, toObject, toList, type JsonObject } from '@gateway/call-contract';
import { type CommandResult, escapeToLine, escapeToLines } from '@gateway/service-host';
import { readFile } from 'node:fs/promises';
import type { CliIo } from '../cli-io.ts';
import type { CallProgress, GatewayClient } from '../client/gateway-client.ts';
import {
  type ClientArguments,
  askCoreTool,
  askMetaTool,
  callMetaTool,
  withClient,
} from '../client/request-gateway.ts';
import { CommandFailure } from '../failure.ts';
import { listEntries, formatField, formatToolResult, type PrintedResult } from '../json-fields.ts';
import {
  type Style,
  createStyle,
  formatTerminalTable,
  createFieldColumn,
  writeRows,
  truncateToWidth,
  writeValue,
} from '../output.ts';
import { formatSuggestion, toWorkflowTool, withSuggestion } from './names.ts';

/** Returns the annotation of a tool as a label, or an empty text. @spec §2.4 */
function formatHint(tool: JsonObject): string {
  const annotations = toObject(tool['annotations']);
  if (annotations['readOnlyHint'] === true) return 'read-only';
  return annotations['destructiveHint'] === true ? 'destructive' : '';
}

const refuse = (text: string): never => {
  throw new CommandFailure('refused', text);
};

export async function readJsonArgument(source: string, io: CliIo): Promise<object> {
  const text = await readSource(source, io);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse(`--json: ${error instanceof Error ? error.message : String(error)}`);
  }
  return isJsonObject(value) ? value : refuse('--json: the arguments of a tool are a JSON object');
}

async function readSource(source: string, io: CliIo): Promise<string> {
  if (source === '-') return io.readStdin();
  if (!source.startsWith('@')) return source;
  try {
    return await readFile(source.slice(1), 'utf8');
  } catch (error) {
    return refuse(`--json: ${error instanceof Error ? error.message : String(error)}`);
  }
}

type ValueParser = (text: string, key: string) => unknown;

const parseJsonOrText: ValueParser = (text) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const parseNumber: ValueParser = (text, key) =>
  text.trim() !== '' && Number.isFinite(Number(text))
    ? Number(text)
    : refuse(`${key}=${text}: the tool requires a number here`);

const PARSERS: Readonly<Record<string, ValueParser>> = {
  string: (text) => text,
  number: parseNumber,
  integer: parseNumber,
  boolean: (text, key) =>
    text === 'true' || text === 'false'
      ? text === 'true'
      : refuse(`${key}=${text}: the tool requires true or false here`),
};

const findParser = (property: JsonObject): ValueParser => {
  const { type } = property;
  return typeof type === 'string' && Object.hasOwn(PARSERS, type)
    ? (PARSERS[type] ?? parseJsonOrText)
    : parseJsonOrText;
};

/** Parses `key=value` arguments. A value is parsed by the type in the schema. Without a type it is JSON, or text if it is not valid JSON. */
export function parsePairs(pairs: readonly string[], schema: JsonObject): object {
  const properties = toObject(schema['properties']);
  const entries = pairs.map((pair) => {
    const [key = '', ...rest] = pair.split('=');
    if (key === '' || rest.length === 0)
      return refuse(`${pair}: an argument of a tool has the form key=value`);
    const property = Object.hasOwn(properties, key) ? toObject(properties[key]) : {};
    return [key, findParser(property)(rest.join('='), key)] as const;
  });
  const repeated = entries.find(([key], index) => entries.findIndex(([k]) => k === key) < index);
  if (repeated !== undefined) refuse(`${repeated[0]}: given more than once`);
  return Object.fromEntries(entries);
}

const UPDATE_MS = 1_000;

interface ProgressLine {
  readonly report: (progress: CallProgress) => void;
  readonly end: () => void;
}

const CLEAR = '\r\u001B[K';

/** Returns `3/10 message`, without the parts that are absent. */
const formatProgress = ({ progress, total, message }: CallProgress): string =>
  escapeToLine(
    [total === undefined ? `${progress}` : `${progress}/${total}`, message ?? '']
      .filter((part) => part !== '')
      .join(' '),
  );

/** Creates the progress output of a call: on a terminal one line that is updated, elsewhere one line for each report. */
function createProgressLine({ stderr }: CliIo): ProgressLine {
  if (!stderr.isTerminal)
    return {
      report: (progress) => {
        stderr.write(`progress: ${formatProgress(progress)}\n`);
      },
      end: () => undefined,
    };
  const start = performance.now();
  let latest = 'running';
  let isShown = false;
  const draw = (): void => {
    const seconds = Math.round((performance.now() - start) / 1_000);
    isShown = true;
    stderr.write(`${CLEAR}${truncateToWidth(`${seconds} s  ${latest}`, stderr.columns - 1)}`);
  };
  const timer = setInterval(draw, UPDATE_MS);
  return {
    report: (progress) => {
      latest = formatProgress(progress);
      draw();
    },
    end: () => {
      clearInterval(timer);
      if (isShown) stderr.write(CLEAR);
    },
  };
}

const PAGE_TOOLS = 1_000;

export interface ListToolsArguments extends ClientArguments {
  readonly query?: string;
  readonly pattern?: string;
  readonly limit?: number;
}

export async function listTools(args: ListToolsArguments, io: CliIo): Promise<CommandResult> {
  const [{ tools, closest }, unsigned] = await withClient(
    { ...args, io },
    async (gateway) =>
      [
        await findTools(gateway, args),
        args.output === 'json' ? [] : await listSignInServers(gateway),
      ] as const,
  );
  writeRows(io, args.output, tools, {
    empty:
      closest === '' ? 'no tools\n' : `no tools; the closest word is ${escapeToLine(closest)}\n`,
    columns: [
      createFieldColumn('NAME', 'name'),
      createFieldColumn('KIND', 'kind'),
      createFieldColumn('SERVER', 'server'),
      {
        title: 'HINT',
        cell: formatHint,
        style: (tool) => (formatHint(tool) === 'destructive' ? 'yellow' : undefined),
      },
      createFieldColumn('SUMMARY', 'summary'),
    ],
  });
  if (unsigned.length > 0)
    io.stderr.write(
      `The tools of these servers are listed after a sign-in with core_auth_login: ${escapeToLine(unsigned.join(', '))}\n`,
    );
  return 'succeeded';
}

async function listSignInServers(gateway: GatewayClient): Promise<readonly string[]> {
  const page = await callMetaTool(gateway, 'list_tools', { limit: 1, summary: true });
  return listEntries(page, 'servers_requiring_auth').map((server) => formatField(server, 'name'));
}

interface FoundTools {
  readonly tools: readonly JsonObject[];
  /** The word of a tool that is spelled most like a query that matches nothing; otherwise empty. */
  readonly closest: string;
}

async function findTools(
  gateway: GatewayClient,
  { query, pattern, limit = Infinity }: ListToolsArguments,
): Promise<FoundTools> {
  const tools: JsonObject[] = [];
  let closest = '';
  for (let isMore = true; isMore && tools.length < limit;) {
    const page = await callMetaTool(gateway, 'filter_tools', {
      ...(query !== undefined && { query }),
      ...(pattern !== undefined && { pattern }),
      limit: Math.min(PAGE_TOOLS, limit - tools.length),
      offset: tools.length,
    });
    const found = listEntries(page, 'tools');
    tools.push(...found);
    closest = formatField(toObject(page), 'closest');
    isMore = toObject(page)['truncated'] === true && found.length > 0;
  }
  return { tools, closest };
}

export async function describeTool(
  name: string,
  args: ClientArguments,
  io: CliIo,
): Promise<CommandResult> {
  const tool = await withSuggestion({ kind: 'tools', name }, { place: args, io }, () =>
    askMetaTool(args, io, 'describe_tool', { name }),
  );
  writeValue(io, args.output, tool, () => formatTool(toObject(tool), io));
  return 'succeeded';
}

/** Returns the line of a tool whose servers are down, or an empty text: its description is the last known one. */
function formatUnavailability(tool: JsonObject, style: Style): string {
  if (tool['available'] !== false) return '';
  const servers = Object.entries(toObject(tool['serverStates'])).map(
    ([server, state]) => `server ${server} is ${String(state)}`,
  );
  return `${style('yellow', `not available: ${escapeToLine(servers.join(', '))}`)}\n`;
}

function formatTool(tool: JsonObject, io: CliIo): string {
  const style = createStyle(io);
  const changed = toList(tool['changed']).map(String).join(', ');
  const facts = [
    formatField(tool, 'kind'),
    formatField(tool, 'server'),
    formatHint(tool),
    changed === '' ? '' : `changed by its resource: ${changed}`,
  ]
    .filter((fact) => fact !== '')
    .join(', ');
  const description = escapeToLines(formatField(tool, 'description'));
  return [
    `${style('bold', escapeToLine(formatField(tool, 'name')))}  ${escapeToLine(facts)}\n`,
    formatUnavailability(tool, style),
    description === '' ? '' : `\n${description}\n`,
    `\n${formatArguments(toObject(tool['inputSchema']), io)}`,
  ].join('');
}

function formatArguments(schema: JsonObject, io: CliIo): string {
  const properties = Object.entries(toObject(schema['properties']));
  if (properties.length === 0) return 'no arguments\n';
  const required = new Set(toList(schema['required']));
  return formatTerminalTable(io, properties, [
    { title: 'ARGUMENT', cell: ([name]) => name },
    { title: 'TYPE', cell: ([, property]) => formatType(toObject(property)) },
    { title: 'REQUIRED', cell: ([name]) => (required.has(name) ? 'yes' : '') },
    {
      title: 'DESCRIPTION',
      cell: ([, property]) => formatField(toObject(property), 'description'),
    },
  ]);
}

/** Returns a schema as short text: `string[]`, `a|b|c` or `integer`. */
function formatType(schema: JsonObject): string {
  const choices = toList(schema['enum']);
  if (choices.length > 0) return choices.map(String).join('|');
  const { type } = schema;
  if (type === 'array') return `${formatField(toObject(schema['items']), 'type') || 'any'}[]`;
  return Array.isArray(type) ? type.map(String).join('|') : formatField(schema, 'type') || 'any';
}

export interface CallArguments extends ClientArguments {
  readonly json?: string;
  readonly timeout: number;
}

/** Calls a tool and prints its result. The command fails when the tool does. @param pairs each has the form `key=value` */
export async function callTool(
  tool: string,
  pairs: readonly string[],
  args: CallArguments,
  io: CliIo,
): Promise<CommandResult> {
  if (args.json !== undefined && pairs.length > 0)
    throw new CommandFailure('refused', 'give the arguments either as key=value or by --json');
  const jsonArguments = args.json === undefined ? undefined : await readJsonArgument(args.json, io);
  const named = { kind: 'tools', name: tool } as const;
  const result = await withSuggestion(named, { place: args, io }, () =>
    withClient({ ...args, io }, async (gateway) => {
      const given = jsonArguments ?? (await parsePairsBySchema(gateway, tool, pairs));
      return callWithProgress(gateway, { tool, given, timeoutSeconds: args.timeout }, io);
    }),
  );
  if (args.output === 'text' && result.isError === true) {
    const text = escapeToLines(formatToolResult(result)).trimEnd();
    io.stderr.write(`${text}${await formatSuggestion(text, named, { place: args, io })}\n`);
    return 'failed';
  }
  writeValue(io, args.output, result, () => {
    const text = formatToolResult(result);
    return io.stdout.isTerminal ? escapeToLines(text) : text;
  });
  return result.isError === true ? 'failed' : 'succeeded';
}

/** Parses values by the schema of the tool, so that `id=007` stays a text where the schema has a string. */
async function parsePairsBySchema(
  gateway: GatewayClient,
  tool: string,
  pairs: readonly string[],
): Promise<object> {
  if (pairs.length === 0) return {};
  const described = toObject(await callMetaTool(gateway, 'describe_tool', { name: tool }));
  return parsePairs(pairs, toObject(described['inputSchema']));
}

interface Call {
  readonly tool: string;
  readonly given: object;
  readonly timeoutSeconds: number;
}

async function callWithProgress(
  gateway: GatewayClient,
  { tool, given, timeoutSeconds }: Call,
  io: CliIo,
): Promise<PrintedResult> {
  const progress = createProgressLine(io);
  try {
    const call = { name: tool, arguments: given };
    const options = {
      timeoutSeconds,
      signal: io.getInterruptSignal(),
      onProgress: progress.report,
    };
    return await gateway.call('call_tool', call, options);
  } finally {
    progress.end();
  }
}

export const runWorkflow = (
  name: string,
  pairs: readonly string[],
  args: CallArguments,
  io: CliIo,
): Promise<CommandResult> => callTool(toWorkflowTool(name), pairs, args, io);

export async function listWorkflows(args: ClientArguments, io: CliIo): Promise<CommandResult> {
  const value = await askCoreTool(args, io, 'core_workflow_list', {});
  const workflows = listEntries(value, 'workflows');
  writeRows(io, args.output, workflows, {
    empty: 'no workflows\n',
    columns: [
      createFieldColumn('NAME', 'name'),
      {
        title: 'AVAILABLE',
        cell: ({ available }) => (available === true ? 'yes' : 'no'),
        style: ({ available }) => (available === true ? undefined : 'yellow'),
      },
      createFieldColumn('DESCRIPTION', 'description'),
    ],
  });
  return 'succeeded';
}
