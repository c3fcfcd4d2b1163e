import type { CommandResult } from '@gateway/service-host';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CliIo } from '../cli-io.ts';
import type { BridgeArguments, ServingCommands, StdioArguments } from '../command-context.ts';
import { CommandFailure } from '../failure.ts';

/** The options about a gateway in this process, with their names on the command line. */
const OWN_GATEWAY: Readonly<Record<string, string>> = {
  configDir: '--config-dir',
  expose: '--expose',
  coreToolWrites: '--core-tool-writes',
};

const refused = (text: string): CommandFailure => new CommandFailure('refused', text);

/**
 * Runs `gateway stdio`: a gateway in this process, or a connection to a running one.
 *
 * @param isGiven returns whether an option is on the command line, by its name in `options`
 */
export async function runStdio(
  options: Partial<StdioArguments & BridgeArguments>,
  isGiven: (name: string) => boolean,
  io: CliIo,
  serving: ServingCommands,
): Promise<CommandResult> {
  const { url, configDir, header = [] } = options;
  if (url === undefined) {
    if (configDir === undefined)
      throw refused(
        'gateway stdio requires --config-dir <dir>, or --url <url> of a running gateway',
      );
    if (header.length > 0) throw refused('--header requires --url');
    return serving.serveStdio(options as StdioArguments);
  }
  const other = Object.keys(OWN_GATEWAY).find(isGiven);
  if (other !== undefined)
    throw refused(`${OWN_GATEWAY[other] ?? other} is for a gateway in this process, not for --url`);
  const { bridgeStdio } = await import('./bridge-stdio.ts');
  return bridgeStdio({ ...options, url }, io);
}

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
