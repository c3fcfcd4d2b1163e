/** Longest summary, in code points of the first line of a description. */
const MAX_SUMMARY_CHARACTERS = 120;

/** The first line of a description, trimmed, cut to 120 code points and `...` when longer. */
export function summaryOf(description: string): string {
  const text = description.trimStart();
  const end = text.indexOf('\n');
  const line = (end === -1 ? text : text.slice(0, end)).trimEnd();
  if (line.length <= MAX_SUMMARY_CHARACTERS) return line;
  // A code point has at most two code units, so only this much of a long line can matter.
  const points = Array.from(line.slice(0, 2 * (MAX_SUMMARY_CHARACTERS + 1)));
  if (points.length <= MAX_SUMMARY_CHARACTERS) return line;
  return `${points.slice(0, MAX_SUMMARY_CHARACTERS).join('')}...`;
}
