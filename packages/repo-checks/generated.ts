import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { layers } from '../../.dependency-cruiser.mjs';
import type { GeneratedFile } from './src/index.ts';

const ARCHITECTURE = join(resolve(import.meta.dirname, '../..'), 'docs/architecture.md');
const COLUMNS = 4;
/** The longest name, and two blanks. */
const WIDTH = 23;

/** Returns the rows of a layer, with its name before the first one. */
const rowsOf = ([layer, packages]: readonly [string, object]): string => {
  const names = Object.keys(packages).map((path) => path.replace('packages/', ''));
  const rows = Array.from({ length: Math.ceil(names.length / COLUMNS) }, (_, row) =>
    names.slice(row * COLUMNS, (row + 1) * COLUMNS),
  );
  return rows
    .map((row, index) =>
      `${(index === 0 ? layer : '').padEnd(4)}${row.map((name) => name.padEnd(WIDTH)).join('')}`.trimEnd(),
    )
    .join('\n');
};

/** The picture of the layers, the highest one first. */
const picture = (): string => {
  const { dev, ...others } = layers;
  const rows = [...Object.entries(others).toReversed(), ['dev', dev] as const].map(rowsOf);
  return `\`\`\`text\n${rows.join('\n\n')}\n\`\`\``;
};

/** The picture of the layers in the page about the architecture. */
export const generated: readonly GeneratedFile[] = [
  {
    path: 'docs/architecture.md',
    text: async () =>
      (await readFile(ARCHITECTURE, 'utf8')).replace(/^```text\nL4 [^`]*```$/mu, picture),
  },
];
