/** A piece of a layout in Go's form: an element of the reference time `Mon Jan 2 15:04:05 MST 2006`, or text as it is. */
export type LayoutPiece =
  | { readonly kind: 'element'; readonly name: string }
  | {
      readonly kind: 'fraction';
      readonly digits: number;
      readonly optional: boolean;
      readonly mark: string;
    }
  | { readonly kind: 'text'; readonly text: string };

const ELEMENT = new RegExp(
  [
    'January',
    'Jan(?![a-z])',
    'Monday',
    'Mon(?![a-z])',
    'MST',
    '002',
    '0[1-6]',
    '15',
    '1',
    '2006',
    '2',
    '__2',
    '_2(?!006)',
    '[345]',
    'PM',
    'pm',
    '[-Z]07(?:0000|:00:00|00|:00)?',
    '([.,])(0+|9+)(?!\\d)',
  ].join('|'),
  'g',
);

const pieceOf = (match: RegExpExecArray): LayoutPiece => {
  const [name, mark, digits] = match;
  return mark === undefined || digits === undefined
    ? { kind: 'element', name }
    : { kind: 'fraction', digits: digits.length, optional: digits.startsWith('9'), mark };
};

/** Reads a layout. Every text is one. */
export const layoutPieces = (layout: string): readonly LayoutPiece[] => {
  const pieces: LayoutPiece[] = [];
  let at = 0;
  const textUpTo = (end: number): void => {
    if (end > at) pieces.push({ kind: 'text', text: layout.slice(at, end) });
  };
  for (const match of layout.matchAll(ELEMENT)) {
    textUpTo(match.index);
    pieces.push(pieceOf(match));
    at = match.index + match[0].length;
  }
  textUpTo(layout.length);
  return pieces;
};
