import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandFailure } from '../failure.ts';

const DEFAULT_EDITOR = process.platform === 'win32' ? 'notepad' : 'vi';

const run = (command: string, args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    child.once('error', () => {
      reject(new CommandFailure('failed', `the editor ${command} cannot be started: set EDITOR`));
    });
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new CommandFailure('failed', 'the editor ended with an error; nothing changed'));
    });
  });

/** Returns the failure with the path of the text, which the person would otherwise lose. */
const withPath = (error: unknown, file: string): unknown =>
  error instanceof CommandFailure
    ? new CommandFailure(error.ending, `${error.message}; your text is in ${file}`, error.code)
    : error;

/** A text to edit, under a name whose ending shows its language to the editor. */
export interface EditedText {
  readonly name: string;
  readonly text: string;
}

/**
 * Passes a text to `use` as a person changed it with the editor of `VISUAL` or `EDITOR`, in a private copy. The copy is deleted, except when the
 * person changed it and the editor or `use` failed: then the failure names its path.
 *
 * @throws CommandFailure when the editor does not start or reports an error, or what `use` throws
 */
export const editText = async (
  { name, text }: EditedText,
  env: Readonly<Record<string, string | undefined>>,
  use: (after: string) => Promise<void>,
): Promise<void> => {
  const words = (env['VISUAL'] || env['EDITOR'] || DEFAULT_EDITOR).trim().split(/\s+/u);
  const [command = DEFAULT_EDITOR, ...args] = words;
  const directory = await mkdtemp(join(tmpdir(), 'gateway-edit-'));
  const file = join(directory, name);
  let isKept = false;
  try {
    await writeFile(file, text, { mode: 0o600 });
    await run(command, [...args, file]);
    await use(await readFile(file, 'utf8'));
  } catch (error) {
    isKept = (await readFile(file, 'utf8').catch(() => text)) !== text;
    throw isKept ? withPath(error, file) : error;
  } finally {
    if (!isKept) await rm(directory, { recursive: true, force: true });
  }
};
