import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { PersonQuestion, Terminal } from '../cli-io.ts';
import { isKept, MAX_HISTORY_LINES } from './history.ts';

/** Options of a {@link TerminalPrompt}. */
export interface PromptOptions {
  readonly prompt: string;
  /** Lines of earlier shells, oldest first. */
  readonly history: readonly string[];
  readonly complete: (line: string) => Promise<[string[], string]>;
}

/** Reads lines at a terminal, with history and completion, for the whole life of a shell. */
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

  /** Returns the next line; `undefined` at the end of the input. */
  next(): Promise<string | undefined> {
    const entered = this.#entered.shift();
    if (entered !== undefined) return Promise.resolve(entered);
    if (this.#isEnded) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#receive = resolve;
      this.#reader.prompt();
    });
  }

  /** Asks the person while a command runs; `undefined` after Ctrl+C and at the end of the input. */
  async ask({ text, isHidden }: PersonQuestion): Promise<string | undefined> {
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
