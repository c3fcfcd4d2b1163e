import { access, constants, stat } from 'node:fs/promises';
import { refused, type Answer } from '@gateway/agent-manager-client';
import { errorCodeOf, ignoreMissing, writeFailureText } from '@gateway/files';

const NEEDED = constants.R_OK | constants.W_OK | constants.X_OK;

/** Checks that a directory and its existing folders can be read and written. Never rejects. */
export const checkDirectory = async (
  root: string,
  folders: readonly string[],
): Promise<Answer<true>> => {
  try {
    if (!(await stat(root)).isDirectory()) {
      return refused('backend_error', 'the directory of releases is not a directory');
    }
    await access(root, NEEDED);
    for (const folder of folders) {
      await access(folder, NEEDED).catch(ignoreMissing);
    }
    return { ok: true, value: true };
  } catch (error) {
    const reason = errorCodeOf(error) === 'ENOENT' ? 'it does not exist' : writeFailureText(error);
    return refused('backend_error', `the directory of releases cannot be used: ${reason}`);
  }
};
