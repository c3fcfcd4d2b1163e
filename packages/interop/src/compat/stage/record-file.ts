import { existsSync, readFileSync } from 'node:fs';

const POLL_MS = 20;

/**
 * Returns a function that resolves when a program appended a line to a file after the line that the last call waited for. The caller
 * limits the time.
 */
export function linesOf(file: string): (line: string) => Promise<void> {
  let seen = 0;
  return async (line) => {
    for (;;) {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
      const at = lines.indexOf(line, seen);
      if (at >= 0) {
        seen = at + 1;
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
}
