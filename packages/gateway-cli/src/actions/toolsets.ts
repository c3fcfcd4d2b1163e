import { toObject, toList, type JsonObject } from '@gateway/call-contract';
import { EXPLAIN_KEY } from '@gateway/meta-tools';
import { type CommandResult, escapeToLine } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import type { GatewayClient } from '../client/gateway-client.ts';
import {
  askMetaTool,
  type ClientArguments,
  requireSuccess,
  withClient,
} from '../client/request-gateway.ts';
import { CommandFailure } from '../failure.ts';
import { listEntries, formatField } from '../json-fields.ts';
import {
  createStyle,
  formatTerminalTable,
  createFieldColumn,
  writeRows,
  writeValue,
} from '../output.ts';

const PAGE_ENTRIES = 1_000;
const ANSWER_SECONDS = 30;

/** Shows the tools that selectors select, the rules that select them, and selectors without a match. @spec §2.1, §2.2, §4.3 */
export async function explainToolset(
  selectors: string,
  args: ClientArguments,
  io: CliIo,
): Promise<CommandResult> {
  const toolset = selectors.split(',').map((selector) => selector.trim());
  const explanation = await withClient({ ...args, io }, (gateway) =>
    requestExplanation(gateway, toolset),
  );
  writeValue(io, args.output, explanation, () => formatExplanation(explanation, io));
  return 'succeeded';
}

/** Returns the complete explanation, which the gateway sends in pages. */
async function requestExplanation(
  gateway: GatewayClient,
  toolset: readonly string[],
): Promise<JsonObject> {
  const tools: unknown[] = [];
  const leftOut: unknown[] = [];
  for (;;) {
    const offset = Math.max(tools.length, leftOut.length);
    const query = { toolset, limit: PAGE_ENTRIES, offset };
    const options = { timeoutSeconds: ANSWER_SECONDS, meta: { [EXPLAIN_KEY]: true } };
    const result = requireSuccess(await gateway.call('filter_tools', query, options));
    const part = toObject(result._meta?.[EXPLAIN_KEY]);
    if (!Array.isArray(part['tools']))
      throw new CommandFailure(
        'failed',
        `the gateway at ${gateway.url.href} does not explain toolsets`,
      );
    tools.push(...toList(part['tools']));
    leftOut.push(...toList(part['left_out']));
    const total = Math.max(Number(part['total']), Number(part['left_out_total']));
    if (Number.isNaN(total) || offset + PAGE_ENTRIES >= total)
      return { toolset, ...part, tools, left_out: leftOut };
  }
}

const formatRule = (rule: JsonObject): string =>
  `${formatField(rule, 'preset')} ${formatField(rule, 'list')}[${formatField(rule, 'index')}] ${formatField(rule, 'rule')}`;

const formatPath = (path: JsonObject): string =>
  [formatField(path, 'selector'), ...listEntries(path, 'rules').map(formatRule)].join(' > ');

const formatReason = ({ by }: JsonObject): string =>
  by === undefined ? 'outside --toolset' : `taken out by ${formatRule(toObject(by))}`;

function formatExplanation(explanation: JsonObject, io: CliIo): string {
  const style = createStyle(io);
  const tools = listEntries(explanation, 'tools');
  const leftOut = listEntries(explanation, 'left_out');
  const lines = (title: string, texts: readonly string[]): string =>
    texts.length === 0
      ? ''
      : `\n${style('yellow', title)}\n${texts.map((text) => `  ${escapeToLine(text)}\n`).join('')}`;
  const selected =
    tools.length === 0
      ? 'selects no tools for you\n'
      : formatTerminalTable(io, tools, [
          createFieldColumn('TOOL', 'name'),
          {
            title: 'SELECTED BY',
            cell: (tool) => listEntries(tool, 'selected_by').map(formatPath).join('; '),
          },
          ...(tools.some(({ changed }) => changed !== undefined)
            ? [
                {
                  title: 'CHANGED',
                  cell: ({ changed }: JsonObject) => toList(changed).map(String).join(', '),
                },
              ]
            : []),
        ]);
  const leftOutTable =
    leftOut.length === 0
      ? ''
      : `\n${formatTerminalTable(io, leftOut, [
          createFieldColumn('LEFT OUT', 'name'),
          createFieldColumn('OF', 'selector'),
          { title: 'BECAUSE', cell: formatReason },
        ])}`;
  return [
    selected,
    leftOutTable,
    lines('selectors that match nothing', toList(explanation['unmatched']).map(String)),
    lines('rules that find nothing', listEntries(explanation, 'idle_rules').map(formatRule)),
    lines('note', toList(explanation['notes']).map(String)),
    `\n${tools.length.toString()} ${tools.length === 1 ? 'tool' : 'tools'}\n`,
  ].join('');
}

/** Lists the presets that the gateway knows, built-in ones first. @spec §4.3 */
export async function listPresets(args: ClientArguments, io: CliIo): Promise<CommandResult> {
  const query = { include_presets: true, limit: 1 };
  const value = await askMetaTool(args, io, 'filter_tools', query);
  const presets = listEntries(value, 'presets');
  writeRows(io, args.output, presets, {
    empty: '',
    columns: [
      createFieldColumn('NAME', 'name'),
      {
        title: 'ORIGIN',
        cell: (preset) => (preset['built_in'] === true ? 'built in' : 'config.yaml'),
      },
      createFieldColumn('DESCRIPTION', 'description'),
    ],
  });
  return 'succeeded';
}
