import { maskedLines } from '@gateway/client-config';
import { escapeToLine } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import { styleOf } from '../output/style.ts';
import { differingParts } from './differing-parts.ts';
import { lineDiff, linesOf, type DiffLine } from './line-diff.ts';

/** A file before and after a change. */
export interface FileChange {
  /** The path, as the person knows it. */
  readonly path: string;
  /** Absent for a new file. */
  readonly before?: string;
  /** Absent for a file that is deleted. */
  readonly after?: string;
  /** Shows the size instead of the text. */
  readonly isSecret?: boolean;
  /** Shows only the part of the file that changes, also of a line: the rest belongs to other programs. */
  readonly isShared?: boolean;
}

const titleOf = ({ path, before, after }: FileChange): string => {
  if (before === undefined) return `new file ${path}`;
  return after === undefined ? `deleted ${path}` : `changed ${path}`;
};

/** Returns the lines of both texts with their differences; values that look like secrets are not shown. */
const maskedDiff = (before: string, after: string): readonly DiffLine[] => {
  const [old, young] = [maskedLines(linesOf(before)), maskedLines(linesOf(after))];
  let [i, j] = [0, 0];
  return lineDiff(before, after).map(({ mark }) => {
    const line = mark === '-' ? old[i] : young[j];
    if (mark !== '+') i += 1;
    if (mark !== '-') j += 1;
    return { mark, line: line ?? '' };
  });
};

/**
 * Returns the changed lines of a file under its name, for people. Unchanged lines are left out, and values that look like secrets are not
 * shown.
 */
export const diffText = (
  change: FileChange,
  { stdout, env }: Pick<CliIo, 'stdout' | 'env'>,
): string => {
  const style = styleOf(stdout, env);
  const { before = '', after = '', isSecret, isShared } = change;
  const title = style('bold', escapeToLine(titleOf(change)));
  if (isSecret === true)
    return `${title}\n${style('green', `+ ${String(Buffer.byteLength(after))} bytes, not shown`)}\n`;
  const diff = isShared === true ? differingParts(before, after) : maskedDiff(before, after);
  const lines = diff
    .filter(({ mark }) => mark !== ' ')
    .map(({ mark, line }) =>
      style(mark === '+' ? 'green' : 'red', `${mark} ${escapeToLine(line)}`),
    );
  return `${[title, ...lines].join('\n')}\n`;
};
