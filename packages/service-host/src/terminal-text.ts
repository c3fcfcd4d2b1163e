const CONTROL = /[\p{Cc}\p{Bidi_Control}]/gu;
const CONTROL_EXCEPT_LAYOUT = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

const escapeCharacter = (character: string): string => {
  const json = JSON.stringify(character).slice(1, -1);
  const code = character.codePointAt(0) ?? 0;
  return json === character ? `\\u${code.toString(16).padStart(4, '0')}` : json;
};

/** Returns the text as one line without terminal control or text direction characters, which are escaped. */
export const escapeToLine = (text: string): string => text.replaceAll(CONTROL, escapeCharacter);

/** Returns the text with its line breaks and tabs; all other control characters are escaped. */
export const escapeToLines = (text: string): string =>
  text.replaceAll(CONTROL_EXCEPT_LAYOUT, escapeCharacter);

/** Returns the value as JSON whose control characters above ASCII, which JSON leaves as they are, are escaped too. */
export const escapeToJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(CONTROL_EXCEPT_LAYOUT, escapeCharacter);
