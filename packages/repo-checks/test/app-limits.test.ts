import { describe, expect, it } from 'vitest';
import { findAppProblems } from '../src/app-limits.ts';

const problems = (text: string): readonly string[] =>
  findAppProblems([{ file: 'apps/toy/src/cli.ts', text }]);

describe('an application', () => {
  it('may compose, describe its commands and log', () => {
    expect(
      problems(`
        import { long } from '@gateway/a-package-with-a-very-long-name-of-many-words';
        /** It says here that a comment may have as many words as it needs. */
        program.command('serve').description('serves all of the servers until it is told to stop');
        log.info({ port }, 'listening on the port that was given on the command line');
        const route = '/healthz';
      `),
    ).toEqual([]);
  });

  it.each([
    ['/** @spec §2.1 */\n', 'cites the spec: a rule belongs in a package'],
    [
      "requirement('2.1/forms', () => {});\n",
      'proves a requirement: it belongs in the tests of a package',
    ],
    [
      'const refusal = `toolset ${name} has more selectors than are allowed`;\n',
      'has the text "toolset x has more selectors than are allowed": a text of more than 6 words belongs in a package',
    ],
    [
      "const refusal = 'toolset has more ' +\n  'selectors than are allowed';\n",
      'has the text "toolset has more selectors than are allowed": a text of more than 6 words belongs in a package',
    ],
  ])('is refused with %j', (text, problem) => {
    expect(problems(text)).toEqual([`apps/toy/src/cli.ts ${problem}`]);
  });
});
