import { readFileSync } from 'node:fs';

/** Cases under a heading: a template, and its result or `! ` with its error. */
interface CaseSection {
  readonly about: string;
  /** The first line of the section when it is JSON: the value of `.input`. */
  readonly input: string;
  readonly cases: readonly (readonly [template: string, result: string])[];
}

/** Lines such as `template => result`. A template in quotes is a JSON text. */
const parseCase = (line: string): readonly [string, string] => {
  const at = line.indexOf(' => ');
  const template = line.slice(0, at);
  const text = template.startsWith('"') ? (JSON.parse(template) as string) : template;
  return [text, line.slice(at + 4)];
};

/** Reads sections that start with lines such as `== Dates`. */
export const readCases = (file: URL): readonly CaseSection[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split(/^== /m)
    .slice(1)
    .map((section) => {
      const [about = '', ...lines] = section.trimEnd().split('\n');
      const input = /^\{["}]/.test(lines[0] ?? '') ? (lines.shift() ?? '') : '{}';
      return { about, input, cases: lines.map(parseCase) };
    });
