import { EXIT_CODES } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import { withDefaultCommand } from '../completion/default-command.ts';
import type { TreeCommand } from '../completion/command-tree.ts';
import {
  lineRefusalText,
  withSharedOptions,
  type SharedOptions,
  type ShellRequest,
} from './shell-words.ts';

/** Runs the commands of lines. */
export interface LineRunner {
  readonly tree: TreeCommand;
  readonly run: (args: readonly string[], io: CliIo) => Promise<number>;
  readonly shared: SharedOptions;
}

const HELP = `
Inside the shell:
  help [command]  this text, or the help of a command
  exit            end the shell, as Ctrl+D does
  Ctrl+C          cancel the running command, or discard the line
Words are quoted as in sh; nothing is expanded. A line that starts with # is a comment.
`;

/** Runs what a line asks for. @returns its exit code */
export async function runLine(
  request: ShellRequest,
  io: CliIo,
  { tree, run, shared }: LineRunner,
): Promise<number> {
  switch (request.kind) {
    case 'nothing':
    case 'exit':
      return EXIT_CODES.succeeded;
    case 'help':
      await run(['--help'], io);
      io.stdout.write(HELP);
      return EXIT_CODES.succeeded;
    case 'refused':
      io.stderr.write(`gateway: ${lineRefusalText(request)}\n`);
      return EXIT_CODES.refused;
    case 'run':
      return run(withSharedOptions(tree, withDefaultCommand(request.args), shared), io);
  }
}
