/** Matches a sticky pattern at exactly this place of a text. */
export const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
};
