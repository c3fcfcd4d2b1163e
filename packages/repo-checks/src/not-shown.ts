const ROW = /^\| §(?<section>\d+(?:\.\d+)?) +\|/gm;

/** Returns the sections that docs/spec/not-shown.md answers: the first column of its tables. */
export const notShownSections = (markdown: string): readonly string[] => [
  ...new Set([...markdown.matchAll(ROW)].map((match) => match.groups?.['section'] ?? '')),
];

/** Returns true when a section of the spec says that it leaves something out. */
export const leavesOut = (text: string): boolean => /\bnot shown\b/.test(text);
