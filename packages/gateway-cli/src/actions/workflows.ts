import type { CommandResult } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import { valueOf } from '../client/result-text.ts';
import type { ClientArguments } from '../arguments/client-arguments.ts';
import { entriesOf, fieldText } from '../output/json-fields.ts';
import { tableText } from '../output/table-text.ts';
import { writeValue } from '../output/write-value.ts';
import { callCoreTool, withClient } from './request-gateway.ts';

/** The name of a workflow's execution tool; a name that is one already stays. @spec §1.4 */
export const toolOfWorkflow = (name: string): string =>
  name.startsWith('workflow_') ? name : `workflow_${name}`;

/** Lists the workflows and whether each can run for this caller. */
export async function listWorkflows(args: ClientArguments, io: CliIo): Promise<CommandResult> {
  const value = await withClient({ ...args, io }, async (gateway) =>
    valueOf(await callCoreTool(gateway, 'core_workflow_list', {})),
  );
  const workflows = entriesOf(value, 'workflows');
  writeValue(io, args.output, workflows, () =>
    workflows.length === 0
      ? 'no workflows\n'
      : tableText(io, workflows, [
          { title: 'NAME', cell: (workflow) => fieldText(workflow, 'name') },
          {
            title: 'AVAILABLE',
            cell: ({ available }) => (available === true ? 'yes' : 'no'),
            style: ({ available }) => (available === true ? undefined : 'yellow'),
          },
          { title: 'DESCRIPTION', cell: (workflow) => fieldText(workflow, 'description') },
        ]),
  );
  return 'succeeded';
}
