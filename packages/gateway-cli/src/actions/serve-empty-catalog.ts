import type { CommandResult } from '@gateway/service-host';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CliIo } from '../cli-io.ts';
import type { ServingCommands } from '../command-context.ts';
import { CommandFailure } from '../failure.ts';

type ServeArguments = Parameters<ServingCommands['serve']>[0];

/** The next steps. They are on stderr, because a program may read the log from there and the results from stdout. */
const NEXT_STEPS = `No --config-dir: the catalog has only the gateway's own tools, and nothing can be added to it. To serve MCP servers of your own:
  1. gateway init my-servers
  2. gateway servers add files --config-dir my-servers -- npx -y @modelcontextprotocol/server-filesystem /tmp
  3. gateway serve --config-dir my-servers
In place of step 2, gateway import --config-dir my-servers lists the clients on this machine whose servers it can import.
`;

/**
 * Serves an empty configuration and writes the next steps to stderr. The configuration is a temporary directory, so that nothing is written
 * elsewhere; tools that would write to it are refused unless an option permits them.
 *
 * @throws CommandFailure for `--kubernetes`, which needs a directory
 */
export async function serveEmptyCatalog(
  { serve }: Pick<ServingCommands, 'serve'>,
  options: Omit<ServeArguments, 'configDir'>,
  { stderr }: CliIo,
): Promise<CommandResult> {
  if (options.kubernetes === true)
    throw new CommandFailure('refused', '--kubernetes requires --config-dir <dir>');
  const configDir = await mkdtemp(join(tmpdir(), 'gateway-empty-'));
  stderr.write(NEXT_STEPS);
  try {
    return await serve({ coreToolWrites: 'none', ...options, configDir });
  } finally {
    await rm(configDir, { recursive: true, force: true });
  }
}
