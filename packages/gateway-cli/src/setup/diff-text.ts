import { maskLines } from '@gateway/client-config';
import { escapeToLine } from '@gateway/service-host';
import { diffArrays } from 'diff';
import type { CliIo } from '../cli-io.ts';
import { createStyle } from '../output.ts';

export interface FileChange {
  readonly path: string;
  /** Absent for a new file. */
  readonly before?: string;
  readonly after?: string;
  /** Shows the size instead of the text. */
  readonly isSecret?: boolean;
  /** Shows only the part of the file that changes, also of a line: the rest belongs to other programs. */
  readonly isShared?: boolean;
}

const formatTitle = ({ path, before, after }: FileChange): string => {
  if (before === undefined) return `new file ${path}`;
  return after === undefined ? `deleted ${path}` : `changed ${path}`;
};

/** The most lines that are removed and added together in a minimal difference. Beyond it, all lines are. */
const MAX_CHANGED_LINES = 4_000;

interface Line {
  readonly text: string;
  readonly shown: string;
}

interface DiffLine {
  readonly mark: '+' | '-' | ' ';
  readonly line: string;
}

/** Returns the lines of a text without values that look like secrets. A line break at its end adds none. */
const maskText = (text: string): readonly Line[] => {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return maskLines(lines).map((shown, at) => ({ text: lines[at] ?? '', shown }));
};

/** Returns the lines of two texts with their differences, in order. Values that look like secrets are not shown. */
export const diffLines = (before: string, after: string): readonly DiffLine[] => {
  const [old, young] = [maskText(before), maskText(after)];
  const changes = diffArrays([...old], [...young], {
    comparator: (one, other) => one.text === other.text,
    maxEditLength: MAX_CHANGED_LINES,
  }) ?? [
    { value: old, removed: true, added: false },
    { value: young, removed: false, added: true },
  ];
  return changes.flatMap(({ value, added, removed }) =>
    value.map(({ shown }) => ({ mark: added ? '+' : removed ? '-' : ' ', line: shown }) as const),
  );
};

const REST = '…';
const MAX_WORD = 200;

const countCommonStart = (one: string, other: string, most: number): number => {
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  return at;
};

const countCommonEnd = (one: string, other: string, most: number): number => {
  let length = 0;
  while (length < most && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return length;
};

/** Returns a part of a text from the beginning of its first to the end of its last word, with a mark in place of the rest of both lines. */
const formatPart = (text: string, start: number, end: number): string => {
  if (start === end) return '';
  const word = /[^\s,{}[\]]*$/u.exec(text.slice(Math.max(0, start - MAX_WORD), start))?.[0] ?? '';
  const tail = /^[^\s,{}[\]]*/u.exec(text.slice(end, end + MAX_WORD))?.[0] ?? '';
  const [from, to] = [start - word.length, end + tail.length];
  const before = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  const after = text.slice(to).split('\n', 1)[0] ?? '';
  return `${before.trim() === '' ? before : REST}${text.slice(from, to)}${after.trim() === '' ? '' : REST}`;
};

/**
 * Returns the only part in which two texts differ, without the rest of its first and of its last line. Values that look like secrets are
 * not part of it.
 */
const diffTexts = (before: string, after: string): readonly [string, string] => {
  const [old, young] = [before, after].map((text) =>
    maskText(text)
      .map(({ shown }) => shown)
      .join('\n'),
  ) as [string, string];
  const most = Math.min(old.length, young.length);
  const start = countCommonStart(old, young, most);
  const end = countCommonEnd(old, young, most - start);
  return [formatPart(old, start, old.length - end), formatPart(young, start, young.length - end)];
};

/** Returns the changed lines of a file under its name, for users. Unchanged lines are left out, and values that look like secrets are not shown. */
export const formatDiff = (change: FileChange, io: Pick<CliIo, 'stdout' | 'env'>): string => {
  const style = createStyle(io);
  const { before = '', after = '', isSecret, isShared } = change;
  const title = style('bold', escapeToLine(formatTitle(change)));
  if (isSecret === true)
    return `${title}\n${style('green', `+ ${String(Buffer.byteLength(after))} bytes, not shown`)}\n`;
  const texts = isShared === true ? diffTexts(before, after) : ([before, after] as const);
  const lines = diffLines(...texts)
    .filter(({ mark }) => mark !== ' ')
    .map(({ mark, line }) =>
      style(mark === '+' ? 'green' : 'red', `${mark} ${escapeToLine(line)}`),
    );
  return `${[title, ...lines].join('\n')}\n`;
};
