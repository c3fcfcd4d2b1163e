import { valuesElsewhereText } from '@gateway/crd-schemas';
import type { Mapping } from '@gateway/files';
import type { ServerFile } from '@gateway/resource-store';
import { type CommandResult, escapeToLine } from '@gateway/service-host';
import process from 'node:process';
import type { CliIo } from '../cli-io.ts';
import { wordForShell } from '../completion/shell-scripts.ts';
import { CommandFailure } from '../failure.ts';
import { diffText } from '../setup/diff-text.ts';
import {
  deleteSecrets,
  requireOwnSecrets,
  secretsOfServer,
  type SecretsQuestion,
  type ServerSecret,
} from '../setup/secrets.ts';
import { replacedSecrets, ServerDirectory } from '../setup/server-directory.ts';
import {
  changedSpec,
  type DescribedServer,
  editText,
  locatePaths,
  type RemoveArguments,
  type ServerFileArguments,
} from '../setup/server-edits.ts';

const withDirectory = (
  configDir: string,
  task: (directory: ServerDirectory) => Promise<void>,
): Promise<CommandResult> =>
  ServerDirectory.use(configDir, async (directory): Promise<CommandResult> => {
    await task(directory);
    return 'succeeded';
  });

const write = async (
  directory: ServerDirectory,
  described: DescribedServer,
  {
    file,
    before,
    io,
  }: { readonly file?: ServerFile; readonly before: Mapping; readonly io: CliIo },
): Promise<void> => {
  const { server, located } = await locatePaths(described, directory.path, process.cwd());
  for (const path of located)
    io.stderr.write(
      `Relative paths count from the configuration directory, so the file has ${escapeToLine(path)}.\n`,
    );
  const { name } = server;
  const { removed, ...changed } = changedSpec(before, server);
  const plan = await directory.plan({ name, ...changed }, file);
  const { after } = plan;
  if (after === undefined)
    throw new CommandFailure('refused', `${name}: ${plan.problems.join('; ')}`);
  if (removed.length > 0) io.stderr.write(`${escapeToLine(valuesElsewhereText(removed))}\n`);
  for (const warning of directory.warningsOf(after))
    io.stderr.write(`warning: ${escapeToLine(warning)}\n`);
  const existing = file === undefined ? replacedSecrets(plan) : [];
  const refusals = [
    ...plan.secretProblems,
    ...existing.map((path) => `${path} exists with another value: delete it, or use another name`),
  ];
  if (refusals.length > 0) throw new CommandFailure('refused', refusals.join('; '));
  await directory.apply(plan);
  for (const change of plan.changes) io.stdout.write(diffText(change, io));
  if (file !== undefined && after === file.text)
    io.stdout.write(`${escapeToLine(file.path)}: no change\n`);
};

/** Writes the file of a new server. Values that look like secrets are written to private files. */
export const addServer = (
  name: string,
  command: readonly string[],
  args: ServerFileArguments,
  io: CliIo,
): Promise<CommandResult> =>
  withDirectory(args.configDir, async (directory) => {
    const server = { name, command, args };
    const file = await directory.file(name);
    if (file !== undefined)
      throw new CommandFailure(
        'refused',
        `${file.path} exists already: change it with gateway servers edit ${name}`,
      );
    if (command.length === 0 && args.url === undefined)
      throw new CommandFailure(
        'refused',
        'a server needs a command after --, or --url: gateway servers add files --config-dir . -- npx -y @modelcontextprotocol/server-filesystem .',
      );
    await write(directory, server, { before: { autoStart: args.start }, io });
  });

const hasChanges = ({ command, args }: DescribedServer): boolean => {
  const { url, type, env, header, cwd, description } = args;
  return (
    command.length > 0 ||
    [url, type, env, header, cwd, description].some((value) => value !== undefined) ||
    !args.start
  );
};

/** Changes the file of a server by options; without options, with the editor of the person. Comments stay. */
export const editServer = (
  name: string,
  command: readonly string[],
  args: ServerFileArguments,
  io: CliIo,
): Promise<CommandResult> =>
  withDirectory(args.configDir, async (directory) => {
    const server = { name, command, args };
    const file = await directory.file(name);
    if (file === undefined) throw noServer(name);
    if (hasChanges(server)) {
      const before = directory.specOf(file);
      await write(directory, server, {
        file,
        before: args.start ? before : { ...before, autoStart: false },
        io,
      });
      return;
    }
    if (io.terminal === undefined)
      throw new CommandFailure(
        'refused',
        'without a terminal no editor is started: name the change as an option, for example --description TEXT',
      );
    await editText({ name: `${name}.yaml`, text: file.text }, io.env, async (after) => {
      const problems = directory.problemsOf(name, after);
      if (problems.length > 0)
        throw new CommandFailure('refused', `${file.path} is unchanged: ${problems.join('; ')}`);
      if (after === file.text) {
        io.stdout.write(`${escapeToLine(file.path)}: no change\n`);
        return;
      }
      await directory.replace(file, after);
      io.stdout.write(diffText({ path: file.path, before: file.text, after }, io));
    });
  });

const removeSecrets = async (
  question: SecretsQuestion,
  secrets: readonly ServerSecret[],
  io: CliIo,
): Promise<void> => {
  const unused = secrets.filter(({ use }) => use === undefined);
  await deleteSecrets(question, unused);
  for (const { path } of unused) io.stdout.write(`deleted ${escapeToLine(path)}\n`);
  for (const { path, use } of secrets)
    if (use !== undefined) io.stderr.write(`${escapeToLine(`${path} stays: ${use}`)}\n`);
};

const keptText = (secrets: readonly ServerSecret[], command: string): string =>
  [
    'Its secrets stay:',
    ...secrets.map(({ path }) => `  ${escapeToLine(path)}`),
    'This command deletes those that no other file uses:',
    `  ${escapeToLine(command)}\n`,
  ].join('\n');

/** Deletes the file of a server. Its secrets stay without `--delete-secrets`, with which the command also works after the file was deleted. */
export const removeServer = (
  name: string,
  { configDir, deleteSecrets: isDeleting }: RemoveArguments,
  io: CliIo,
): Promise<CommandResult> =>
  withDirectory(configDir, async (directory) => {
    const file = await directory.file(name);
    const question = { directory: directory.path, name, own: file?.path };
    const secrets = await secretsOfServer(question);
    if (file === undefined && (isDeleting !== true || secrets.length === 0)) throw noServer(name);
    if (isDeleting === true) await requireOwnSecrets(question);
    if (file !== undefined) {
      if (!(await directory.remove(name))) throw noServer(name);
      io.stdout.write(`deleted ${escapeToLine(file.path)}\n`);
    }
    if (isDeleting === true) await removeSecrets(question, secrets, io);
    else if (secrets.length > 0)
      io.stderr.write(
        keptText(
          secrets,
          `gateway servers remove ${name} --config-dir ${wordForShell(configDir)} --delete-secrets`,
        ),
      );
  });

const noServer = (name: string): CommandFailure =>
  new CommandFailure('refused', `the directory has no server "${name}"`);
