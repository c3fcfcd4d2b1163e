import { isAbsolute, posix } from 'node:path';
import { FollowedTexts, type FollowedText } from './followed-texts.ts';
import { readSecretFile } from './read-secret-file.ts';
import { secretFileProblemText } from './secret-file-problem.ts';

/** The folder whose files must be private. */
const SECRETS = 'secrets/';

const readText = async (configuration: string, path: string): Promise<FollowedText> => {
  const normal = posix.normalize(path);
  const isRooted = isAbsolute(path);
  const file = await readSecretFile({
    directory: isRooted ? '/' : configuration,
    folder: posix.dirname(isRooted ? normal.slice(1) : normal),
    key: posix.basename(normal),
    isPrivate: normal.startsWith(SECRETS),
  });
  if (file.ok) return file;
  const problem = { ...file.problem, path };
  const code = problem.code === 'secret.absent' ? 'absent' : 'unreadable';
  return { ok: false, code, reason: secretFileProblemText(problem) };
};

/**
 * Returns the texts of files, each read again every second: at most 64 KiB of UTF-8, without a line break at the end. Relative paths count from
 * the configuration directory. A file in its folder `secrets` must be private.
 */
export const createFollowedFiles = ({
  directory,
}: {
  /** The configuration directory. */
  readonly directory: string;
}): Pick<FollowedTexts<string>, 'follow' | 'read' | 'subscribe' | 'close'> =>
  new FollowedTexts({ pathOf: (path) => path, read: (path) => readText(directory, path) });
