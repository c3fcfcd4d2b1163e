import type { SourceText } from './repository-files.ts';

/** The tests of each threat, as "file: part of a title". */
export type ThreatTests = Readonly<Record<string, readonly string[]>>;

const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const HEADING = 'Defences';

/** Returns the first cells of the tables below the heading "Defences". */
const findThreats = (page: string): readonly string[] => {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${HEADING}\n`)) ?? '';
  return [...section.matchAll(/^\| (?!Threat |-)(.*?) \| /gm)].map(([, threat = '']) => threat);
};

const hasTitle = (source: string, title: string): boolean =>
  source.match(STRING)?.some((text) => text.replaceAll(/\\(.)/g, '$1').includes(title)) ?? false;

/**
 * Returns the rows of the threat model without an existing test, and the tests without a row.
 * @param page docs/security.md
 * @param tests threat-tests.json
 * @param readSource returns the text of a file by its path from the root of the repository; `undefined` when it does not exist
 */
export const findThreatRowProblems = (
  { file: page, text }: SourceText,
  tests: ThreatTests,
  readSource: (file: string) => string | undefined,
): readonly string[] => {
  const threats = findThreats(text);
  if (threats.length === 0) return [`${page} has no rows below "${HEADING}"`];
  const testProblem = (test: string): readonly string[] => {
    const [file = '', title = ''] = test.split(/: (.*)/);
    const source = /\/test\/.*\.(?:test|suite)\.ts$/.test(file) ? readSource(file) : undefined;
    if (source === undefined) return [`${file} is not an existing test`];
    return title !== '' && hasTitle(source, title) ? [] : [`${file} has no title with "${title}"`];
  };
  return [
    ...threats
      .filter((threat) => (tests[threat] ?? []).length === 0)
      .map((threat) => `${page}: no test of "${threat}"`),
    ...Object.entries(tests).flatMap(([threat, named]) =>
      threats.includes(threat)
        ? named.flatMap(testProblem)
        : [`${page} has no row for "${threat}"`],
    ),
  ];
};
