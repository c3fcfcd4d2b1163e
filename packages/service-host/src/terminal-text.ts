import { escapeInvisible } from '@gateway/call-contract';

const CONTROL = /[\u0000-\u001f]/g;
const CONTROL_EXCEPT_LAYOUT = /[\u0000-\u0008\u000b-\u001f]/g;

const escapeCharacter = (character: string): string => JSON.stringify(character).slice(1, -1);

/** Returns the text as one line without terminal control, text direction or invisible characters, which are escaped. */
export const escapeToLine = (text: string): string =>
  escapeInvisible(text.replaceAll(CONTROL, escapeCharacter));

/** Returns the text with its line breaks and tabs; all other control characters are escaped. */
export const escapeToLines = (text: string): string =>
  escapeInvisible(text.replaceAll(CONTROL_EXCEPT_LAYOUT, escapeCharacter));

/** Returns the value as JSON whose invisible characters above ASCII, which JSON leaves as they are, are escaped too. */
export const escapeToJson = (value: unknown, indent?: number): string =>
  escapeInvisible(JSON.stringify(value, null, indent));
