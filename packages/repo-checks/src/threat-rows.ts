import type { SourceText } from './repository-files.ts';

/** A link of the last column of a row: part of a test title, and the file of the test. */
const LINK = /\[(?<title>(?:[^\]\\]|\\.)+)\]\((?<file>[^)#]+)\)/g;
const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const HEADING = 'Defences';

/** Returns the body rows of the tables below the heading "Defences", without empty lines. */
const findDefenceRows = (page: string): readonly string[] => {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${HEADING}\n`)) ?? '';
  return section.split('\n').filter((line) => /^\| (?!Boundary |-)/.test(line));
};

const hasTitle = (source: string, title: string): boolean =>
  source.match(STRING)?.some((text) => text.replaceAll(/\\(.)/g, '$1').includes(title)) ?? false;

/**
 * Returns the rows of the threat model that do not link to an existing test.
 * @param page docs/security.md
 * @param readSource returns the text of a file by its path from the root of the repository; `undefined` when it does not exist
 */
export const findThreatRowProblems = (
  { file: pageFile, text }: SourceText,
  readSource: (file: string) => string | undefined,
): readonly string[] => {
  const rows = findDefenceRows(text);
  if (rows.length === 0) return [`${pageFile} has no rows below "${HEADING}"`];
  return rows.flatMap((row) => {
    const cell = row.split(' | ').at(-1) ?? '';
    const links = [...cell.matchAll(LINK)].map(({ groups = {} }) => groups);
    if (links.length === 0) return [`${pageFile}: no link to a test in "${row.slice(0, 120)}"`];
    return links.flatMap(({ title = '', file = '' }) => {
      const path = file.replace(/^\.\.\//, '');
      const source = /\/test\/.*\.(?:test|suite)\.ts$/.test(path) ? readSource(path) : undefined;
      if (source === undefined) return [`${pageFile}: ${file} is not an existing test`];
      return hasTitle(source, title) ? [] : [`${pageFile}: ${file} has no title with "${title}"`];
    });
  });
};
