import { maskLines } from '@gateway/client-config';
import { readTextFile, replaceFileAtomically } from '@gateway/files';
import { chmod, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { UserQuestion, Terminal } from '../cli-io.ts';

const MAX_HISTORY_LINES = 1_000;

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
  maskLines([line])[0] === line &&
  !/\p{Cc}/u.test(line);

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the file of the history: in `XDG_STATE_HOME`, otherwise in the directory of the platform. */
export function resolveHistoryFile(
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

interface PromptOptions {
  readonly prompt: string;
  readonly history: readonly string[];
  readonly complete: (line: string) => Promise<[string[], string]>;
}

export class TerminalPrompt {
  readonly #reader: Interface;
  readonly #output: NodeJS.WritableStream;
  /** Lines that were entered while a command ran. */
  readonly #entered: string[] = [];
  #receive: ((line: string | undefined) => void) | undefined;
  #onInterrupt: (() => void) | undefined;
  #question: AbortController | undefined;
  #isMuted = false;
  #isEnded = false;

  constructor({ input, output }: Terminal, { prompt, history, complete }: PromptOptions) {
    this.#output = output;
    this.#reader = createInterface({
      input,
      output: this.#mutable(output),
      terminal: true,
      prompt,
      completer: complete,
      history: history.toReversed(),
      historySize: MAX_HISTORY_LINES,
      removeHistoryDuplicates: true,
    });
    this.#reader.on('line', (line) => {
      this.#deliver(line);
    });
    // A listener may remove lines, newest first. https://nodejs.org/api/readline.html#event-history
    this.#reader.on('history', (lines: string[]) => {
      const [newest] = lines;
      if (newest !== undefined && (this.#question !== undefined || !isKept(newest))) lines.shift();
    });
    this.#reader.on('SIGINT', () => {
      this.#interrupt();
    });
    this.#reader.once('close', () => {
      this.#isEnded = true;
      this.#question?.abort();
      this.#deliver(undefined);
    });
  }

  next(): Promise<string | undefined> {
    const entered = this.#entered.shift();
    if (entered !== undefined) return Promise.resolve(entered);
    if (this.#isEnded) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#receive = resolve;
      this.#reader.prompt();
    });
  }

  /** Asks the user while a command runs; `undefined` after Ctrl+C and at the end of the input. */
  async ask({ text, isHidden }: UserQuestion): Promise<string | undefined> {
    if (this.#isEnded) return undefined;
    const question = new AbortController();
    this.#question = question;
    if (isHidden) this.#output.write(text);
    this.#isMuted = isHidden;
    try {
      return await this.#reader.question(isHidden ? '' : text, { signal: question.signal });
    } catch {
      return undefined;
    } finally {
      this.#isMuted = false;
      this.#question = undefined;
      if (isHidden) this.#output.write('\n');
    }
  }

  /** Sets what Ctrl+C does while a command runs. Between commands Ctrl+C discards the line. */
  whileRunning(onInterrupt: (() => void) | undefined): void {
    this.#onInterrupt = onInterrupt;
  }

  close(): void {
    this.#reader.close();
  }

  #deliver(line: string | undefined): void {
    const receive = this.#receive;
    this.#receive = undefined;
    if (receive !== undefined) receive(line);
    else if (line !== undefined) this.#entered.push(line);
  }

  #interrupt(): void {
    this.#entered.length = 0;
    this.#output.write('^C\n');
    this.#question?.abort();
    if (this.#onInterrupt !== undefined) {
      this.#onInterrupt();
      return;
    }
    // Ends the editing of the line without running it.
    this.#reader.write(null, { ctrl: true, name: 'e' });
    this.#reader.write(null, { ctrl: true, name: 'u' });
    this.#reader.prompt();
  }

  #mutable(output: NodeJS.WritableStream): Writable {
    const shown = new Writable({
      write: (chunk: Uint8Array, _encoding, done) => {
        if (!this.#isMuted) output.write(chunk);
        done();
      },
    });
    return Object.defineProperty(shown, 'columns', {
      get: () => (output as { readonly columns?: number }).columns ?? 80,
    });
  }
}
