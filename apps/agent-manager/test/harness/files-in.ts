import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The text of every file of a directory, by its path in it. */
export const filesIn = (directory: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((file) => statSync(join(directory, file)).isFile())
      .toSorted()
      .map((file) => [file, readFileSync(join(directory, file), 'utf8')]),
  );
