import { CLIENT_SHAPES } from '@gateway/client-config';
import { type CommandResult, escapeToLine } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import { CommandFailure } from '../failure.ts';
import { tableText } from '../output.ts';
import { diffText } from '../setup/diff-text.ts';
import {
  planImport,
  unknownNames,
  type ImportArguments,
  type PlannedServer,
} from '../setup/import-plan.ts';
import { findSources, readSources } from '../setup/import-sources.ts';
import { notStartedText, ServerDirectory } from '../setup/server-directory.ts';

/**
 * Imports servers from the configuration of a client. Without `--write` it shows what it would write.
 *
 * @param source a client, a file, or `-` for standard input; absent for a list of what can be imported
 */
export async function importServers(
  source: string | undefined,
  args: ImportArguments,
  io: CliIo,
): Promise<CommandResult> {
  if (source === undefined) return listSources(args, io);
  const sources = await readSources({ source, project: args.project }, io);
  const unknown = unknownNames(sources, args);
  if (unknown.length > 0)
    throw new CommandFailure(
      'refused',
      `the source has no server ${unknown.map((name) => `"${name}"`).join(', ')}`,
    );
  return ServerDirectory.use(args.configDir, async (directory) => {
    const planned = await planImport(directory, sources, args);
    if (planned.length === 0) throw new CommandFailure('refused', 'the source has no servers');
    report(planned, io);
    if (args.write === true)
      for (const plan of planned.filter(isChanged)) await directory.apply(plan);
    return summarise(planned, args, io);
  });
}

const isRefused = ({ problems }: PlannedServer): boolean => problems.length > 0;

const isChanged = (plan: PlannedServer): boolean => !isRefused(plan) && plan.changes.length > 0;

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

const countText = (count: number, verb: string): string =>
  `${String(count)} ${count === 1 ? 'server' : 'servers'} ${verb}`;

function summarise(
  planned: readonly PlannedServer[],
  { write, start }: ImportArguments,
  io: CliIo,
): CommandResult {
  const refused = planned.filter(isRefused).length;
  const changed = planned.filter(isChanged);
  const parts = [
    countText(changed.length, write === true ? 'imported' : 'to import'),
    ...(refused > 0 ? [countText(refused, 'refused')] : []),
  ];
  io.stdout.write(`${parts.join(', ')}\n`);
  if (write !== true && changed.length > 0)
    io.stderr.write('Nothing is written: run the command again with --write.\n');
  if (write === true && changed.some(({ spec }) => spec['autoStart'] !== true))
    io.stderr.write(notStartedText(start));
  return refused > 0 ? 'failed' : 'succeeded';
}
