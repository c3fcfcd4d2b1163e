import type { SecretFile } from '@gateway/client-config';
import { escapeToLine } from '@gateway/service-host';
import { CommandFailure } from '../failure.ts';
import type { FileChange } from '../setup/diff-text.ts';
import { secretChanges, writeSecrets } from '../setup/secret-writes.ts';
import type { ServerDirectory, ServerSpec } from '../setup/server-directory.ts';

/** Returns what a user does to start what was written. `--start` does not start every entry. */
export const notStartedText = (start = false): string =>
  start
    ? 'What --allow accepts or a client has disabled does not start yet: read it, then set spec.autoStart to true.\n'
    : 'It does not start yet: read it, then set spec.autoStart to true, or use --start.\n';

/** A server to write, with its secrets. */
export interface NewServer extends ServerSpec {
  readonly secrets: readonly SecretFile[];
}

const refuseExisting = (path: string): never => {
  throw new CommandFailure(
    'refused',
    `${path} exists: use --as for another name, or --replace to change it`,
  );
};

/** The files that an installation changes, secrets first. */
interface InstallChanges {
  readonly changes: readonly FileChange[];
  /** The text of the file of the server; absent without one. */
  readonly before?: string | undefined;
}

/**
 * Returns the files that a server changes.
 *
 * @throws CommandFailure when the server is not valid, or when it exists and may not be replaced
 */
export const installChanges = async (
  directory: ServerDirectory,
  { name, spec, secrets }: NewServer,
  mayReplace: boolean,
): Promise<InstallChanges> => {
  const file = await directory.file(name);
  if (file !== undefined && !mayReplace) refuseExisting(file.path);
  const composed = directory.compose({ name, spec }, file);
  if (!composed.ok)
    throw new CommandFailure('refused', escapeToLine(`${name}: ${composed.problems.join('; ')}`));
  const { changes, problems } = await secretChanges(directory.path, secrets);
  if (problems.length > 0) throw new CommandFailure('refused', escapeToLine(problems.join('; ')));
  const blocked = changes.find(({ before }) => before !== undefined);
  if (blocked !== undefined && !mayReplace) refuseExisting(blocked.path);
  const { path, before, after } = composed;
  const own = before === after ? [] : [{ path, after, ...(before !== undefined && { before }) }];
  return { changes: [...changes, ...own], before };
};

/** Writes the files of a server. A server that starts before its secrets exist would report that they are missing. */
export const writeInstalled = async (
  directory: ServerDirectory,
  { name, spec, secrets, before }: NewServer & Pick<InstallChanges, 'before'>,
): Promise<void> => {
  await writeSecrets(directory.path, secrets);
  await directory.write({ name, spec, before });
};
