import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { AskPerson, Terminal } from './cli-io.ts';

const silent = (): Writable =>
  new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });

/** Creates a function that asks the person at a terminal. Ctrl+C and Ctrl+D end the input. */
export const createAsk =
  ({ input, output }: Terminal): AskPerson =>
  async ({ text, isHidden }) => {
    if (isHidden) output.write(text);
    const reader = createInterface({
      input,
      output: isHidden ? silent() : output,
      terminal: true,
      historySize: 0,
    });
    const ended = new Promise<undefined>((resolve) => {
      reader.once('close', () => {
        resolve(undefined);
      });
    });
    try {
      return await Promise.race([reader.question(isHidden ? '' : text), ended]);
    } finally {
      reader.close();
      if (isHidden) output.write('\n');
    }
  };
