import { CLIENT_SHAPES, type Risk } from '@gateway/client-config';
import { type CommandResult, escapeToLine } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import { CommandFailure } from '../failure.ts';
import { tableText } from '../output/table.ts';
import { diffText } from '../setup/diff-text.ts';
import { planImport, type PlannedServer, unknownNames } from '../setup/import-plan.ts';
import { findSources, readSources } from '../setup/import-sources.ts';
import { writeSecrets } from '../setup/secrets.ts';
import { notStartedText, ServerDirectory } from '../setup/server-directory.ts';

/** Arguments of `gateway import`. */
export interface ImportArguments {
  /** A client, a file, or `-` for standard input; absent for a list of what can be imported. */
  readonly source?: string;
  readonly configDir: string;
  /** The directory of the project whose servers are imported too. */
  readonly project?: string;
  /** Names in the source; all servers when absent. */
  readonly only?: readonly string[];
  /** New names by the names in the source. */
  readonly rename?: ReadonlyMap<string, string>;
  /** Risks that are accepted. */
  readonly allow?: readonly Risk[];
  /** Write servers that start with the gateway. */
  readonly start?: true;
  /** Change servers and secrets that the directory has already. */
  readonly replace?: true;
  readonly write?: true;
}

/** Imports servers from the configuration of a client. Without `--write` it shows what it would write. */
export async function importServers(args: ImportArguments, io: CliIo): Promise<CommandResult> {
  if (args.source === undefined) return listSources(args, io);
  const sources = await readSources({ source: args.source, project: args.project }, io);
  const choices = {
    ...args,
    rename: args.rename ?? new Map<string, string>(),
    replace: args.replace === true,
  };
  const unknown = unknownNames(sources, choices);
  if (unknown.length > 0)
    throw new CommandFailure(
      'refused',
      `the source has no server ${unknown.map((name) => `"${name}"`).join(', ')}`,
    );
  const directory = await ServerDirectory.open(args.configDir);
  try {
    const planned = await planImport(directory, sources, choices);
    if (planned.length === 0) throw new CommandFailure('refused', 'the source has no servers');
    report(planned, io);
    if (args.write === true) await writeAll(directory, planned);
    return summarise(planned, args, io);
  } finally {
    await directory.close();
  }
}

async function listSources({ project }: ImportArguments, io: CliIo): Promise<CommandResult> {
  const { sources: rows, problems } = await findSources(io, project);
  for (const problem of problems) io.stderr.write(`left out: ${escapeToLine(problem)}\n`);
  io.stdout.write(
    rows.length === 0
      ? 'no file of a known client has servers\n'
      : tableText(io, rows, [
          { title: 'CLIENT', cell: ({ client }) => client ?? '' },
          {
            title: 'SERVERS',
            cell: ({ servers }) => servers.map(({ source }) => source).join(', '),
          },
          { title: 'FILE', cell: ({ path }) => path },
        ]),
  );
  const first = rows[0]?.client;
  if (first !== undefined)
    io.stderr.write(
      `To import the servers of ${CLIENT_SHAPES[first].title}: gateway import ${first} --config-dir <dir>\n`,
    );
  return 'succeeded';
}

function report(planned: readonly PlannedServer[], io: CliIo): void {
  for (const { name, source, problems, notes, changes, isOwn } of planned) {
    const label = escapeToLine(name === '' ? source : name);
    for (const problem of problems)
      io.stderr.write(`${label}: not imported: ${escapeToLine(problem)}\n`);
    for (const note of notes) io.stderr.write(`${label}: ${escapeToLine(note)}\n`);
    if (problems.length > 0 || isOwn) continue;
    if (changes.length === 0) io.stdout.write(`${label}: the directory has it already\n`);
    for (const change of changes) io.stdout.write(diffText(change, io));
  }
}

async function writeAll(
  directory: ServerDirectory,
  planned: readonly PlannedServer[],
): Promise<void> {
  for (const { name, spec, before, secrets, changes, problems } of planned) {
    if (problems.length > 0 || changes.length === 0) continue;
    // A server that starts before its secrets exist would report that they are missing.
    await writeSecrets(directory.path, secrets);
    await directory.write({ name, spec, before });
  }
}

const countText = (count: number, verb: string): string =>
  `${String(count)} ${count === 1 ? 'server' : 'servers'} ${verb}`;

const isHeld = ({ problems, changes, spec }: PlannedServer): boolean =>
  problems.length === 0 && changes.length > 0 && spec['autoStart'] !== true;

function summarise(
  planned: readonly PlannedServer[],
  args: ImportArguments,
  io: CliIo,
): CommandResult {
  const refused = planned.filter(({ problems }) => problems.length > 0).length;
  const changed = planned.filter(
    ({ problems, changes }) => problems.length === 0 && changes.length > 0,
  ).length;
  const verb = args.write === true ? 'imported' : 'to import';
  const parts = [countText(changed, verb), ...(refused > 0 ? [countText(refused, 'refused')] : [])];
  io.stdout.write(`${parts.join(', ')}\n`);
  if (args.write !== true && changed > 0)
    io.stderr.write('Nothing is written: run the command again with --write.\n');
  if (args.write === true && planned.some(isHeld)) io.stderr.write(notStartedText(args.start));
  return refused > 0 ? 'failed' : 'succeeded';
}
