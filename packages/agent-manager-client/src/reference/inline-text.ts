/** A part of a line of text: plain, code, or a link within the page (`#name`). */
export interface InlinePart {
  readonly text: string;
  readonly kind: 'text' | 'code' | 'link';
}

/** A line of text. A link leads to the section that has its text as name. */
export type InlineText = readonly InlinePart[];

/** Returns one part of plain text. */
export const plain = (text: string): InlinePart => ({ text, kind: 'text' });

/** Parses a text in which backticks mark code. */
export const parseCodeSpans = (text: string): InlineText =>
  text
    .split('`')
    .map((part, at): InlinePart => ({ text: part, kind: at % 2 === 1 ? 'code' : 'text' }))
    .filter((part) => part.text !== '');
