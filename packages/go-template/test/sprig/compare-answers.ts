import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { rendered } from '../functions/render-function.ts';
import { EXPRESSIONS, TEXT_TEMPLATES } from './corpus.ts';

/** What a template prints in Go; null when it fails there. */
export type Answer = string | null;

type Answers = readonly (readonly [template: string, go: Answer])[];

/** The templates of the corpus: the JSON of every expression, and those that print a text. */
export const TEMPLATES: readonly string[] = [
  ...EXPRESSIONS.map((expression) => `{{ ${expression} | toJson }}`),
  ...TEXT_TEMPLATES,
];

const STORED = new URL('answers.txt', import.meta.url);
/** A line of the file has calls of one function, up to about so many characters. */
const LINE_CHARS = 200;
const EXPRESSION = /^\{\{ (.*) \| toJson \}\}$/;

/** An expression and the JSON that it prints, or a template and its text as a JSON string; `!` is a failure. */
const formatAnswer = ([template, answer]: Answers[number]): string => {
  const expression = EXPRESSION.exec(template)?.[1];
  if (expression === undefined) return `${template}\t${JSON.stringify(answer)}`;
  return `${expression}\t${answer ?? '!'}`;
};

const parseAnswer = (written: string, answer: string): Answers[number] =>
  written.includes('{{')
    ? [written, JSON.parse(answer) as Answer]
    : [`{{ ${written} | toJson }}`, answer === '!' ? null : answer];

/** Stores answers for the quick tests. */
export const writeAnswers = (answers: Answers): void => {
  const lines: string[] = [];
  let previous = '';
  for (const answer of answers) {
    const written = formatAnswer(answer);
    const [name = ''] = written.split(' ');
    const line = lines.at(-1) ?? '';
    if (name === previous && line.length + written.length < LINE_CHARS)
      lines.splice(-1, 1, `${line}\t${written}`);
    else lines.push(written);
    previous = name;
  }
  writeFileSync(STORED, `${lines.join('\n')}\n`);
};

/** Reads the stored answers. */
export const readAnswers = (): Answers => {
  const fields = readFileSync(STORED, 'utf8')
    .trimEnd()
    .split(/[\t\n]/);
  const pairs = fields.length / 2;
  return Array.from({ length: pairs }, (_unused, at) =>
    parseAnswer(fields[2 * at] ?? '', fields[2 * at + 1] ?? ''),
  );
};

/** What a template prints here; null when it fails. */
const renderHere = (template: string): Answer => {
  const text = rendered(template);
  return text.startsWith('! ') ? null : text;
};

/** A template with two answers. */
interface Difference {
  readonly template: string;
  readonly go: Answer;
  readonly here: Answer;
}

/** JSON is compared as a value: `1e+06` is 1000000, and -0 is 0. */
const resolveValue = (answer: string): unknown => {
  try {
    return JSON.parse(answer, (_key, value: unknown) => (Object.is(value, -0) ? 0 : value));
  } catch {
    return answer;
  }
};

const isSame = ({ go, here }: Difference): boolean =>
  go === null || here === null
    ? go === here
    : isDeepStrictEqual(resolveValue(go), resolveValue(here));

const calls = ({ template }: Difference, names: RegExp): boolean =>
  new RegExp(String.raw`^\{\{ (?:${names.source})\b`).test(template);
const hasManyBytes = ({ template }: Difference): boolean => /[^ -~]/.test(template);
const has = (text: Answer, part: RegExp): boolean => text !== null && part.test(text);

const PRINTING = /printf?|println|html|js|urlquery|quote|squote|cat|toString|toStrings|dict|values/;

/**
 * The differences that are decided, by their sentence in `sprig-differences.ts` or in the README. The long test fails when one no longer
 * occurs.
 */
export const DECIDED: ReadonlyMap<string, (difference: Difference) => boolean> = new Map([
  ['`printf` fails where Go prints a complaint', ({ go }) => has(go, /%!/)],
  [
    'whole numbers are printed by `%f`, and large ones by `%x`',
    (each) => calls(each, /printf/) && / (?:1e21|1\.5|-2\.25|0\.5) \|/.test(each.template),
  ],
  [
    'lists, maps and null print as JSON',
    (each) =>
      (calls(each, PRINTING) || /^\{\{ \. \}\}/.test(each.template)) &&
      has(each.go, /\[|map\[|nil|no value|no\+value/),
  ],
  [
    'numbers print as JSON prints them',
    (each) => calls(each, /toString|toDecimal/) && /\b1e-?\d/.test(each.template),
  ],
  ['an empty list is not null', ({ go, here }) => go === 'null' && here === '[]'],
  [
    'characters are counted, not bytes',
    (each) => calls(each, /trunc|substr|abbrev|initials|nospace/) && hasManyBytes(each),
  ],
  [
    '`substr` outside of the text is what there is',
    (each) => calls(each, /substr/) && each.go === null,
  ],
  [
    'what is no Base64 or Base32 fails',
    (each) => calls(each, /b64dec|b32dec/) && has(each.go, /illegal base/),
  ],
  [
    'a broken pattern fails',
    (each) => calls(each, /regexMatch/) && each.go === 'false' && each.here === null,
  ],
  [
    'there is one kind of number',
    (each) =>
      (calls(each, /eq|ne|lt|le|gt|ge/) && each.go === null) || has(each.here, /^"float64"$/),
  ],
  ['whole numbers beyond 2^53 fail', ({ go, here }) => here === null && has(go, /^"?-?\d{16,}"?$/)],
  [
    'texts of infinities are 0',
    (each) => /"(?:inf|NaN)"/.test(each.template) && !has(each.go, /\d/),
  ],
  ['zero has no sign', ({ go, here }) => go === '"-0"' && here === '"0"'],
  ['`round` treats negative numbers as positive ones', (each) => calls(each, /round -/)],
  ['`slice` takes a text', (each) => calls(each, /slice "/) && each.go === null],
  ['`duration` takes a number', ({ template }) => /^\{\{ duration -?\d/.test(template)],
]);

/** Returns what differs from Go without a decision, and counts the decided differences in `met`. */
export const undecidedDifferences = (
  answers: Answers,
  met = new Set<string>(),
): readonly Difference[] => {
  const undecided: Difference[] = [];
  for (const [template, go] of answers) {
    const difference = { template, go, here: renderHere(template) };
    if (isSame(difference)) continue;
    const sentence = Array.from(DECIDED).find(([, applies]) => applies(difference))?.[0];
    if (sentence === undefined) undecided.push(difference);
    else met.add(sentence);
  }
  return undecided;
};
