import type { CommandResult } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import type { ServingCommands } from '../command-context.ts';
import type { BridgeArguments, StdioArguments } from '../arguments/serving-arguments.ts';
import { CommandFailure } from '../failure.ts';

/** The options of `gateway stdio` as they stand on the command line. */
export interface StdioOptions {
  readonly options: Partial<StdioArguments & BridgeArguments>;
  /** Returns whether an option is on the command line, by its name in `options`. */
  readonly isGiven: (name: string) => boolean;
}

/** The options about a gateway in this process, with their names on the command line. */
const OWN_GATEWAY: Readonly<Record<string, string>> = {
  configDir: '--config-dir',
  expose: '--expose',
  coreToolWrites: '--core-tool-writes',
};

const refused = (text: string): CommandFailure => new CommandFailure('refused', text);

/** Runs `gateway stdio`: a gateway in this process, or a connection to a running one. */
export async function runStdio(
  { options, isGiven }: StdioOptions,
  { io, serving }: { readonly io: CliIo; readonly serving: ServingCommands },
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
