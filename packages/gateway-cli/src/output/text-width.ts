const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{RI}|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}])/u;
const ASCII = /^[\u0020-\u007E]*$/u;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

const widthOfCluster = (cluster: string): number => (WIDE.test(cluster) ? 2 : 1);

/** Returns an estimate of the columns that a text needs on a terminal. */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOfCluster(segment);
  return width;
}

/** Truncates a text to the columns. A truncated text ends with `…`. */
export function truncateToWidth(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let truncated = '';
  let width = 1;
  for (const { segment } of segmenter.segment(text)) {
    width += widthOfCluster(segment);
    if (width > columns) break;
    truncated += segment;
  }
  return `${truncated.trimEnd()}…`;
}
