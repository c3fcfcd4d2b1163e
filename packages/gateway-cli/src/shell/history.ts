import { chmod, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { maskedLines } from '@gateway/client-config';
import { readTextFile, replaceFileAtomically } from '@gateway/files';

/** Most lines of the history. */
export const MAX_HISTORY_LINES = 1_000;

/** Longest line that is kept, in UTF-16 code units. */
const MAX_KEPT_CHARS = 2_000;

/** Enough for the longest lines in UTF-8. */
const MAX_FILE_BYTES = MAX_HISTORY_LINES * (MAX_KEPT_CHARS * 3 + 1);

const PRIVATE_MODE = 0o600;
const PRIVATE = { mode: PRIVATE_MODE, isDurable: false, hasOwnMode: true };

/** Words of lines that may contain secrets. */
const SECRET =
  /header|token|secret|passw|passphrase|api[-_]?key|credential|authorization|bearer|cookie|private|--env/iu;

/** Says whether a line goes into the history: not when it may contain a secret, is long, or would change the terminal. */
export const isKept = (line: string): boolean =>
  line.trim() !== '' &&
  line.length <= MAX_KEPT_CHARS &&
  !SECRET.test(line) &&
  maskedLines([line])[0] === line &&
  !/\p{Cc}/u.test(line);

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the file of the history: in `XDG_STATE_HOME`, otherwise in the directory of the platform. */
export function historyFile(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string {
  const home = environment['HOME'] || environment['USERPROFILE'] || homedir();
  const local = platform === 'win32' ? environment['LOCALAPPDATA'] : undefined;
  const parent = environment['XDG_STATE_HOME'] || local || join(home, '.local', 'state');
  return join(parent, 'mcp-gateway', 'shell-history');
}

/** Returns the lines of the history, oldest first. Throws when the file is there and cannot be read. */
export async function readHistory(file: string): Promise<readonly string[]> {
  const read = await readTextFile(file, { maxBytes: MAX_FILE_BYTES });
  if (read.kind === 'absent') return [];
  if (read.kind !== 'text') throw new Error(`${file} cannot be read`);
  return read.text.split('\n').filter(isKept).slice(-MAX_HISTORY_LINES);
}

/** Adds a line to the file, which only its owner can read. Does nothing for lines that are not kept. */
export async function addToHistory(file: string, line: string): Promise<void> {
  if (!isKept(line)) return;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const lines = [...(await readHistory(file)), line];
  await replaceFileAtomically(file, `${lines.slice(-MAX_HISTORY_LINES).join('\n')}\n`, PRIVATE);
  await chmod(file, PRIVATE_MODE);
}
