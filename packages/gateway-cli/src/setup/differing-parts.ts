import { maskedLines } from '@gateway/client-config';
import { lineDiff, linesOf, type DiffLine } from './line-diff.ts';

const REST = '…';
/** The most characters of a word that is shown whole. */
const MAX_WORD = 200;

const withoutSecrets = (text: string): string => maskedLines(linesOf(text)).join('\n');

const commonStart = (one: string, other: string, most: number): number => {
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  return at;
};

const commonEnd = (one: string, other: string, most: number): number => {
  let length = 0;
  while (length < most && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return length;
};

/** Returns a part of a text from the beginning of its first to the end of its last word, with a mark in place of the rest of both lines. */
const partOf = (text: string, start: number, end: number): string => {
  if (start === end) return '';
  const word = /[^\s,{}[\]]*$/u.exec(text.slice(Math.max(0, start - MAX_WORD), start))?.[0] ?? '';
  const tail = /^[^\s,{}[\]]*/u.exec(text.slice(end, end + MAX_WORD))?.[0] ?? '';
  const [from, to] = [start - word.length, end + tail.length];
  const before = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  const after = text.slice(to).split('\n', 1)[0] ?? '';
  return `${before.trim() === '' ? before : REST}${text.slice(from, to)}${after.trim() === '' ? '' : REST}`;
};

/**
 * Returns the lines of the only part in which two texts differ, without the rest of its first and of its last line. Values that look like
 * secrets are not shown.
 */
export const differingParts = (before: string, after: string): readonly DiffLine[] => {
  const [old, young] = [withoutSecrets(before), withoutSecrets(after)];
  const most = Math.min(old.length, young.length);
  const start = commonStart(old, young, most);
  const end = commonEnd(old, young, most - start);
  return lineDiff(partOf(old, start, old.length - end), partOf(young, start, young.length - end));
};
