import type { CommandResult } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import type { GatewayClient } from '../client/gateway-client.ts';
import type { ListToolsArguments } from '../arguments/client-arguments.ts';
import { entriesOf, fieldsOf, shown, type Fields } from '../output/json-fields.ts';
import { tableText } from '../output/table-text.ts';
import { writeValue } from '../output/write-value.ts';
import { askedValue, connected } from './connected.ts';
import { hintOf } from './hints.ts';

const PAGE = 1_000;

/** Lists the catalog, or what a search of it finds. */
export async function listTools(args: ListToolsArguments, io: CliIo): Promise<CommandResult> {
  const tools = await connected(args, (gateway) => allTools(gateway, args));
  writeValue(io, args.output, tools, () =>
    tools.length === 0
      ? 'no tools\n'
      : tableText(io, tools, [
          { title: 'NAME', cell: (tool) => shown(tool, 'name') },
          { title: 'KIND', cell: (tool) => shown(tool, 'kind') },
          { title: 'SERVER', cell: (tool) => shown(tool, 'server') },
          {
            title: 'HINT',
            cell: hintOf,
            look: (tool) => (hintOf(tool) === 'destructive' ? 'yellow' : undefined),
          },
          { title: 'SUMMARY', cell: (tool) => shown(tool, 'summary') },
        ]),
  );
  return 'succeeded';
}

async function allTools(
  gateway: GatewayClient,
  { query, pattern, limit = Infinity }: ListToolsArguments,
): Promise<readonly Fields[]> {
  const tools: Fields[] = [];
  for (let isMore = true; isMore && tools.length < limit;) {
    const page = await askedValue(gateway, 'filter_tools', {
      ...(query !== undefined && { query }),
      ...(pattern !== undefined && { pattern }),
      limit: Math.min(PAGE, limit - tools.length),
      offset: tools.length,
    });
    const found = entriesOf(page, 'tools');
    tools.push(...found);
    isMore = fieldsOf(page)['truncated'] === true && found.length > 0;
  }
  return tools;
}
