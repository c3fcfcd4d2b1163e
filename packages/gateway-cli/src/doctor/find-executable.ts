import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, resolve } from 'node:path';

/** Where a command is searched. */
export interface CommandPlace {
  /** The working directory of the command. */
  readonly directory: string;
  /** The variable `PATH` of the command. */
  readonly path: string;
  /** The endings of programs on Windows (`PATHEXT`); empty elsewhere. */
  readonly endings: readonly string[];
}

const isProgram = async (file: string): Promise<boolean> => {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
};

/** Returns the file that a command runs, as an absolute path; undefined when there is none. POSIX.1-2024, Base Definitions §8.3 PATH */
export async function findExecutable(
  command: string,
  { directory, path, endings }: CommandPlace,
): Promise<string | undefined> {
  const isPath = isAbsolute(command) || /[/\\]/u.test(command);
  const folders = isPath ? [directory] : path.split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders)
    for (const ending of ['', ...endings]) {
      const file = resolve(directory, folder, `${command}${ending}`);
      if (await isProgram(file)) return file;
    }
  return undefined;
}
