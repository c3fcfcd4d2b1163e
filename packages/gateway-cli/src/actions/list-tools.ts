import { escapeToLine, type CommandResult } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import type { GatewayClient } from '../client/gateway-client.ts';
import type { ListToolsArguments } from '../arguments/client-arguments.ts';
import { entriesOf, fieldsOf, fieldText, type Fields } from '../output/json-fields.ts';
import { tableText } from '../output/table-text.ts';
import { writeValue } from '../output/write-value.ts';
import { callMetaTool, withClient } from './request-gateway.ts';
import { hintOf } from './hints.ts';

const PAGE_TOOLS = 1_000;

/** Lists the tools of the catalog, or those that match a search. */
export async function listTools(args: ListToolsArguments, io: CliIo): Promise<CommandResult> {
  const [tools, unsigned] = await withClient({ ...args, io }, async (gateway) => [
    await allTools(gateway, args),
    args.output === 'json' ? [] : await serversRequiringSignIn(gateway),
  ]);
  writeValue(io, args.output, tools, () =>
    tools.length === 0
      ? 'no tools\n'
      : tableText(io, tools, [
          { title: 'NAME', cell: (tool) => fieldText(tool, 'name') },
          { title: 'KIND', cell: (tool) => fieldText(tool, 'kind') },
          { title: 'SERVER', cell: (tool) => fieldText(tool, 'server') },
          {
            title: 'HINT',
            cell: hintOf,
            style: (tool) => (hintOf(tool) === 'destructive' ? 'yellow' : undefined),
          },
          { title: 'SUMMARY', cell: (tool) => fieldText(tool, 'summary') },
        ]),
  );
  if (unsigned.length > 0)
    io.stderr.write(
      `The tools of these servers are listed after a sign-in with core_auth_login: ${escapeToLine(unsigned.join(', '))}\n`,
    );
  return 'succeeded';
}

/** Returns the names of the servers to which the caller has to sign in. */
async function serversRequiringSignIn(gateway: GatewayClient): Promise<readonly string[]> {
  const page = await callMetaTool(gateway, 'list_tools', { limit: 1, summary: true });
  return entriesOf(page, 'servers_requiring_auth').map((server) => fieldText(server, 'name'));
}

async function allTools(
  gateway: GatewayClient,
  { query, pattern, limit = Infinity }: ListToolsArguments,
): Promise<readonly Fields[]> {
  const tools: Fields[] = [];
  for (let isMore = true; isMore && tools.length < limit;) {
    const page = await callMetaTool(gateway, 'filter_tools', {
      ...(query !== undefined && { query }),
      ...(pattern !== undefined && { pattern }),
      limit: Math.min(PAGE_TOOLS, limit - tools.length),
      offset: tools.length,
    });
    const found = entriesOf(page, 'tools');
    tools.push(...found);
    isMore = fieldsOf(page)['truncated'] === true && found.length > 0;
  }
  return tools;
}
