import type { CommandResult } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import type { ClientArguments } from '../arguments/client-arguments.ts';
import { entriesOf, fieldText } from '../output/json-fields.ts';
import { tableText } from '../output/table-text.ts';
import { writeValue } from '../output/write-value.ts';
import { callMetaTool, withClient } from './request-gateway.ts';

/** Lists the presets that the gateway knows, built-in ones first. @spec §4.3 */
export async function listPresets(args: ClientArguments, io: CliIo): Promise<CommandResult> {
  const query = { include_presets: true, limit: 1 };
  const value = await withClient({ ...args, io }, (gateway) =>
    callMetaTool(gateway, 'filter_tools', query),
  );
  const presets = entriesOf(value, 'presets');
  writeValue(io, args.output, presets, () =>
    tableText(io, presets, [
      { title: 'NAME', cell: (preset) => fieldText(preset, 'name') },
      {
        title: 'ORIGIN',
        cell: (preset) => (preset['built_in'] === true ? 'built in' : 'config.yaml'),
      },
      { title: 'DESCRIPTION', cell: (preset) => fieldText(preset, 'description') },
    ]),
  );
  return 'succeeded';
}
