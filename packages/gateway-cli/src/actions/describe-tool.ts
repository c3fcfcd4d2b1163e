import { type CommandResult, escapeToLines, escapeToLine } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import type { ClientArguments } from '../arguments/client-arguments.ts';
import { fieldsOf, listOf, fieldText, type Fields } from '../output/json-fields.ts';
import { styleOf, type Style } from '../output/style.ts';
import { tableText } from '../output/table-text.ts';
import { writeValue } from '../output/write-value.ts';
import { callMetaTool, withClient } from './request-gateway.ts';
import { withSuggestion } from './with-suggestion.ts';
import { hintOf } from './hints.ts';

/** Shows one tool and its arguments. */
export async function describeTool(
  name: string,
  args: ClientArguments,
  io: CliIo,
): Promise<CommandResult> {
  const tool = await withSuggestion({ kind: 'tools', name }, { place: args, io }, () =>
    withClient({ ...args, io }, (gateway) => callMetaTool(gateway, 'describe_tool', { name })),
  );
  writeValue(io, args.output, tool, () => toolText(fieldsOf(tool), io));
  return 'succeeded';
}

/** Returns the line of a tool whose servers are down, or an empty text: its description is the last known one. */
function unavailableText(tool: Fields, style: Style): string {
  if (tool['available'] !== false) return '';
  const servers = Object.entries(fieldsOf(tool['serverStates'])).map(
    ([server, state]) => `server ${server} is ${String(state)}`,
  );
  return `${style('yellow', `not available: ${escapeToLine(servers.join(', '))}`)}\n`;
}

function toolText(tool: Fields, io: CliIo): string {
  const style = styleOf(io.stdout, io.env);
  const facts = [fieldText(tool, 'kind'), fieldText(tool, 'server'), hintOf(tool)]
    .filter((fact) => fact !== '')
    .join(', ');
  const description = escapeToLines(fieldText(tool, 'description'));
  return [
    `${style('bold', escapeToLine(fieldText(tool, 'name')))}  ${escapeToLine(facts)}\n`,
    unavailableText(tool, style),
    description === '' ? '' : `\n${description}\n`,
    `\n${argumentsText(fieldsOf(tool['inputSchema']), io)}`,
  ].join('');
}

function argumentsText(schema: Fields, io: CliIo): string {
  const properties = Object.entries(fieldsOf(schema['properties']));
  if (properties.length === 0) return 'no arguments\n';
  const required = new Set(listOf(schema['required']));
  return tableText(io, properties, [
    { title: 'ARGUMENT', cell: ([name]) => name },
    { title: 'TYPE', cell: ([, property]) => typeText(fieldsOf(property)) },
    { title: 'REQUIRED', cell: ([name]) => (required.has(name) ? 'yes' : '') },
    { title: 'DESCRIPTION', cell: ([, property]) => fieldText(fieldsOf(property), 'description') },
  ]);
}

/** Returns a schema as short text: `string[]`, `a|b|c` or `integer`. */
function typeText(schema: Fields): string {
  const choices = listOf(schema['enum']);
  if (choices.length > 0) return choices.map(String).join('|');
  const { type } = schema;
  if (type === 'array') return `${fieldText(fieldsOf(schema['items']), 'type') || 'any'}[]`;
  return Array.isArray(type) ? type.map(String).join('|') : fieldText(schema, 'type') || 'any';
}
