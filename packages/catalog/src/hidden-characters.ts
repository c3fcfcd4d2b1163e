/**
 * What a reader of a text cannot see, and a model reads all the same: control characters except tab, line feed and carriage return,
 * bidirectional controls, characters without width or meaning of their own, tags, and more than one variation selector in a row.
 * The joiners U+200C and U+200D stay, since scripts and emoji need them.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]/u;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');
const SELECTORS = /([\ufe00-\ufe0f])[\ufe00-\ufe0f]+/g;

/** Whether a text holds characters that readers cannot see. Tabs and line ends are none. */
export function hidesCharacters(text: string): boolean {
  return HIDDEN.test(text);
}

/** The text without characters that readers cannot see. */
export function withoutHiddenCharacters(text: string): string {
  // What stood between two variation selectors may have gone.
  return text.replace(ALL_HIDDEN, '').replace(SELECTORS, '$1');
}
