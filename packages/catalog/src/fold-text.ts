const ASCII = /^\p{ASCII}*$/u;
const MARKS = /\p{M}+/gu;

/**
 * Returns a text without the differences that people leave out when they search: compatibility forms, accents and `ß`. The case stays.
 * A text in ASCII is returned as it is.
 */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text;
  return text.replaceAll('ß', 'ss').normalize('NFKD').replace(MARKS, '').normalize('NFC');
}
