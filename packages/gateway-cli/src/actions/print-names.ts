import type { CommandResult } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import { nameInLine, type NameKind } from '../completion/completed-names.ts';
import { readNames, type NamesArguments } from './read-names.ts';

/** Names come from servers. A shell gets only those that it cannot interpret. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/u;

/** Prints names for completion, one per line. Prints nothing when they cannot be read. */
export async function printNames(
  kind: NameKind,
  args: NamesArguments,
  io: CliIo,
): Promise<CommandResult> {
  const names = await readNames(kind, args, io).catch(() => []);
  for (const name of names.filter((each) => PLAIN.test(each)))
    io.stdout.write(`${nameInLine(kind, name)}\n`);
  return 'succeeded';
}
