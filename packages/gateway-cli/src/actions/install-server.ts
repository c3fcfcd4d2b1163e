import { resourceName } from '@gateway/client-config';
import {
  chooseWay,
  planInstall,
  type InstallPlan,
} from '../server-registry/install/plan-install.ts';
import {
  installNoteText,
  installProblemText,
  type InstallProblem,
} from '../server-registry/problems/install-problem.ts';
import type { RegistryServer } from '../server-registry/format/parse-registry.ts';
import { escapeToLine, type CommandResult } from '@gateway/service-host';
import type { InstallArguments } from '../arguments/registry-arguments.ts';
import type { CliIo } from '../cli-io.ts';
import { CommandFailure } from '../failure.ts';
import { askedAnswers, givenAnswers } from '../registry/collect-answers.ts';
import { registrySources } from '../registry/configured-registries.ts';
import { findServer } from '../registry/find-server.ts';
import {
  installChanges,
  notStartedText,
  writeInstalled,
  type NewServer,
} from '../registry/install-changes.ts';
import { diffText } from '../setup/diff-text.ts';
import { ServerDirectory } from '../setup/server-directory.ts';

type AcceptedPlan = Extract<InstallPlan, { ok: true }>;

const refuse = ({ name, version }: RegistryServer, problems: readonly InstallProblem[]): never => {
  const lines = problems.map((problem) => escapeToLine(installProblemText(problem)));
  throw new CommandFailure(
    'refused',
    `${name} ${escapeToLine(version)} is not installed:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  );
};

const plan = async (
  server: RegistryServer,
  args: InstallArguments,
  io: CliIo,
): Promise<AcceptedPlan & { readonly name: string }> => {
  const chosen = chooseWay(server, args.use);
  if (!chosen.ok) return refuse(server, chosen.problems);
  const { way } = chosen;
  const name = args.as ?? resourceName(server.name.split('/')[1] ?? '');
  if (name === '')
    throw new CommandFailure('refused', `give the server a name of its own with --as`);
  const answers = await askedAnswers(way, await givenAnswers(args), io);
  const planned = planInstall({ server, way, name, answers, allow: args.allow, start: args.start });
  return planned.ok ? { ...planned, name } : refuse(server, planned.problems);
};

/** Installs a server of a registry. Without `--write` it shows what it would write. */
export async function installServer(args: InstallArguments, io: CliIo): Promise<CommandResult> {
  const directory = await ServerDirectory.open(args.configDir);
  try {
    const sources = await registrySources(args);
    const server = await findServer(sources, args, io.interrupted());
    io.stderr.write(`${server.name} ${escapeToLine(server.version)}\n`);
    const planned = await plan(server, args, io);
    for (const note of planned.notes)
      io.stderr.write(`note: ${escapeToLine(installNoteText(note))}\n`);
    await show(directory, planned, { args, io });
  } finally {
    await directory.close();
  }
  return 'succeeded';
}

async function show(
  directory: ServerDirectory,
  server: NewServer,
  { args, io }: { readonly args: InstallArguments; readonly io: CliIo },
): Promise<void> {
  const { changes, before } = await installChanges(directory, server, args.replace === true);
  for (const change of changes) io.stdout.write(diffText(change, io));
  if (changes.length === 0) io.stdout.write(`${server.name}: the directory has it already\n`);
  else if (args.write !== true)
    io.stderr.write('Nothing is written: run the command again with --write.\n');
  else {
    await writeInstalled(directory, { ...server, before });
    io.stdout.write(`installed ${server.name}\n`);
    if (server.spec['autoStart'] !== true) io.stderr.write(notStartedText(args.start));
  }
}
