const CONTROL = /[\p{Cc}\p{Bidi_Control}]/gu;
const CONTROL_BUT_LAYOUT = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

const escaped = (character: string): string => {
  const json = JSON.stringify(character).slice(1, -1);
  const code = character.codePointAt(0) ?? 0;
  return json === character ? `\\u${code.toString(16).padStart(4, '0')}` : json;
};

/** The text as one line that cannot steer a terminal: names and descriptions come from anywhere. */
export const oneLine = (text: string): string => text.replaceAll(CONTROL, escaped);

/** The text with its lines and tabs, and nothing else that steers a terminal. */
export const manyLines = (text: string): string => text.replaceAll(CONTROL_BUT_LAYOUT, escaped);

/** The value as JSON that cannot steer a terminal and says the same: above ASCII, JSON leaves control characters as they are. */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(CONTROL_BUT_LAYOUT, escaped);
