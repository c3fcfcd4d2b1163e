/**
 * What a reader of a text cannot see, and a model reads all the same: control characters except tab, line feed and carriage return,
 * bidirectional controls, characters without width or meaning of their own, tags, and half a surrogate pair, which no UTF-8 can hold.
 * Of several variation selectors or joiners in a row only the first is for readers: the others could spell hidden words. So could
 * joiners behind ASCII. The other joiners stay, since scripts and emoji need U+200C and U+200D.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]|(?<=[\u0000-\u007f\u200c\u200d])[\u200c\u200d]/u;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');
const SELECTORS = /([\ufe00-\ufe0f])[\ufe00-\ufe0f]+/g;
const JOINERS = /(?<=[\u0000-\u007f])[\u200c\u200d]+|(?<=[\u200c\u200d])[\u200c\u200d]+/g;

/** Whether a text holds characters that readers cannot see. Tabs and line ends are none. */
export function hidesCharacters(text: string): boolean {
  return HIDDEN.test(text);
}

/** The text without characters that readers cannot see. */
export function withoutHiddenCharacters(text: string): string {
  // What stood between two variation selectors or joiners may have gone.
  return text.replace(ALL_HIDDEN, '').replace(JOINERS, '').replace(SELECTORS, '$1');
}
