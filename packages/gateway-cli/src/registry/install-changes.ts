import type { SecretFile } from '@gateway/client-config';
import { escapeToLine } from '@gateway/service-host';
import { CommandFailure } from '../failure.ts';
import type { FileChange } from '../setup/diff-text.ts';
import { secretChanges, writeSecrets } from '../setup/secret-writes.ts';
import type { ServerDirectory, ServerSpec } from '../setup/server-directory.ts';

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

/**
 * Returns the files that a server changes, secrets first.
 *
 * @throws CommandFailure when the server is not valid, or when it exists and may not be replaced
 */
export const installChanges = async (
  directory: ServerDirectory,
  { name, spec, secrets }: NewServer,
  mayReplace: boolean,
): Promise<readonly FileChange[]> => {
  const file = await directory.file(name);
  if (file !== undefined && !mayReplace) refuseExisting(file.path);
  const composed = await directory.compose({ name, spec });
  if (!composed.ok)
    throw new CommandFailure('refused', escapeToLine(`${name}: ${composed.problems.join('; ')}`));
  const { changes, problems } = await secretChanges(directory.path, secrets);
  if (problems.length > 0) throw new CommandFailure('refused', escapeToLine(problems.join('; ')));
  const blocked = changes.find(({ before }) => before !== undefined);
  if (blocked !== undefined && !mayReplace) refuseExisting(blocked.path);
  const { path, before, after } = composed;
  const own = before === after ? [] : [{ path, after, ...(before !== undefined && { before }) }];
  return [...changes, ...own];
};

/** Writes the files of a server. A server that starts before its secrets exist would report that they are missing. */
export const writeInstalled = async (
  directory: ServerDirectory,
  { name, spec, secrets }: NewServer,
): Promise<void> => {
  await writeSecrets(directory.path, secrets);
  await directory.write({ name, spec });
};
