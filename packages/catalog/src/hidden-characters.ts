/**
 * Characters that are invisible to people but not to models: control characters except tab, line feed and carriage return,
 * bidirectional controls, zero-width characters, tags, and unpaired surrogates, which UTF-8 cannot encode.
 * Of several consecutive variation selectors or joiners only the first is visible text: the others could encode hidden words, as could
 * joiners after ASCII. Other joiners are preserved because scripts and emoji require U+200C and U+200D.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]|(?<=[\u0000-\u007f\u200c\u200d])[\u200c\u200d]/u;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');
const SELECTORS = /([\ufe00-\ufe0f])[\ufe00-\ufe0f]+/g;
const JOINERS = /(?<=[\u0000-\u007f])[\u200c\u200d]+|(?<=[\u200c\u200d])[\u200c\u200d]+/g;

/** Returns whether a text has invisible characters. Tabs and line breaks are visible. */
export function hidesCharacters(text: string): boolean {
  return HIDDEN.test(text);
}

/** The text without characters that readers cannot see. */
export function withoutHiddenCharacters(text: string): string {
  // Removing a character can make two variation selectors or joiners adjacent.
  return text.replace(ALL_HIDDEN, '').replace(JOINERS, '').replace(SELECTORS, '$1');
}
