import { escapeInvisible } from '@gateway/call-contract';

const CONTROL = /[\u0000-\u001f]/g;
const CONTROL_EXCEPT_LAYOUT = /[\u0000-\u0008\u000b-\u001f]/g;

const escapeCharacter = (character: string): string => JSON.stringify(character).slice(1, -1);

/** Returns the text as one line with control, text-direction and invisible characters escaped. */
export const escapeToLine = (text: string): string =>
  escapeInvisible(text.replaceAll(CONTROL, escapeCharacter));

/** Returns the text with control and invisible characters escaped, except line breaks and tabs. */
export const escapeToLines = (text: string): string =>
  escapeInvisible(text.replaceAll(CONTROL_EXCEPT_LAYOUT, escapeCharacter));

/** Returns the value as JSON with all invisible characters escaped, including non-ASCII characters. */
export const escapeToJson = (value: unknown, indent?: number): string =>
  escapeInvisible(JSON.stringify(value, null, indent));
