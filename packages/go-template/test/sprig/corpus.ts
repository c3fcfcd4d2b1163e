import { readFileSync } from 'node:fs';

/** Go source of the arguments of calls, separated by tabs and line breaks, under headings such as `== TEXTS`. */
const VALUES: ReadonlyMap<string, readonly string[]> = new Map(
  readFileSync(new URL('values.txt', import.meta.url), 'utf8')
    .split(/^== /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.replace(/\n$/, '').split(/[\n\t]/);
      return [heading, lines] as const;
    }),
);

const values = (heading: string): readonly string[] => VALUES.get(heading) ?? [];

/** Go source of texts, as arguments of template functions. */
const createLiteralElement = (text: string): string => JSON.stringify(text);

/** Every call of a function with one argument out of each slot. */
const calls = (name: string, ...slots: readonly (readonly string[])[]): readonly string[] => {
  let found = [name];
  for (const slot of slots)
    found = found.flatMap((call) => slot.map((value) => `${call} ${value}`));
  return found;
};

const each = (names: string, ...slots: readonly (readonly string[])[]): readonly string[] =>
  names.split(' ').flatMap((name) => calls(name, ...slots));

/** Every call, with its value formatted as a date. */
const shownDates = (expressions: readonly string[], layout = '"2006-01-02 15:04:05 -0700 MST"') =>
  expressions.map((expression) => `date_in_zone ${layout} (${expression}) "UTC"`);

const CONSTRAINTS = values('CONSTRAINTS');
const COMPARED = values('COMPARED');
const DICTS = values('DICTS');
const DURATIONS = values('DURATIONS');
const FORMATS = values('FORMATS');
const FRACTIONS = values('FRACTIONS');
const INDEXED = values('INDEXED');
const LAYOUTS = values('LAYOUTS');
const LISTS = values('LISTS');
const MIXED = values('MIXED');
const NAMES = values('NAMES');
const NUMBERS_AS_TEXT = values('NUMBERS_AS_TEXT');
const OPERANDS = values('OPERANDS');
const PATHS = values('PATHS');
const PATTERNS = values('PATTERNS');
const REGEX_TEXTS = values('REGEX_TEXTS');
const REPLACEMENTS = values('REPLACEMENTS');
const SENTENCES = values('SENTENCES');
const SINGLE = values('SINGLE');
const TEXTS = values('TEXTS');
const URLS = values('URLS');
const VALUES_OF_FORMATS = values('VALUES_OF_FORMATS');
const VERBS = values('VERBS');
const ZONES = values('ZONES');
const COUNTS = ['-100', '-5', '-1', '0', '1', '3', '5', '10', '100'];
const INTEGERS = ['0', '1', '-1', '2', '7', '-7', '10', '100', '1000000', '123456789', '-42'];
const VERSIONS = [
  '1.2.3',
  '1.21.0',
  '1.22.0',
  '1.22.0-0',
  '1.21.5-gke.100',
  '2.0.0',
  '0.2.3',
  '0.0.3',
  '1.2.3-alpha',
  '1.2.4-beta.2',
  'v1.2',
  '1',
  '1.2.3+build',
];
const OPERATORS = ['', '=', '!=', '>', '<', '>=', '<=', '=>', '=<', '~', '~>', '^'];
const MOMENTS = ['1705276800', '1720000000', '0', '1709208245'];
const AT = '(toDate "2006-01-02 15:04:05.000" "2024-03-05 01:02:03.456")';
/** Pairs of a layout and a text. */
const DATE_TEXTS = values('DATE_TEXTS');

/** Whole templates, which print a text themselves. */
export const TEXT_TEMPLATES = values('TEXT_TEMPLATES');

/** Expressions of which both sides print the JSON. Deterministic: nothing here depends on the clock or on chance. */
export const EXPRESSIONS: readonly string[] = [
  ...new Set([
    ...each(
      'upper lower title untitle swapcase initials nospace trim snakecase kebabcase camelcase b64enc b32enc b64dec b32dec sha1sum sha256sum sha512sum adler32sum quote squote toString',
      TEXTS,
    ),
    ...each('snakecase kebabcase camelcase swapcase title untitle initials', NAMES),
    ...each('trunc', COUNTS, TEXTS),
    ...each(
      'substr',
      ['-1', '0', '1', '3'],
      ['-1', '0', '2', '5', '50'],
      ['"hello world"', '"a"', '"日本語"', '"0123456789"'],
    ),
    ...each('abbrev', ['0', '3', '4', '5', '8', '20'], TEXTS),
    ...each(
      'abbrevboth',
      ['-1', '0', '1', '4', '5', '6', '8'],
      ['3', '4', '6', '7', '8', '10'],
      ['"1234 5678 9123"', '"hello world"', '"short"', '"0123456789"'],
    ),
    ...each('wrap', ['-1', '0', '1', '5', '10', '20'], SENTENCES),
    ...each('wrapWith', ['0', '1', '5', '10'], ['"|"', '"\\n"', '""', '"--"'], SENTENCES),
    ...each(
      'indent nindent',
      ['0', '1', '4', '-1'],
      ['""', '"a"', '"a\\nb"', '"a\\n"', '"\\n\\n"'],
    ),
    ...each('repeat', ['0', '1', '3', '-1'], ['""', '"ab"', '"é"']),
    ...each(
      'replace',
      ['""', '"a"', '"l"', '"日"', '"$1"'],
      ['""', '"X"', '"$&"'],
      ['""', '"hello"', '"日本日"', '"aaa"'],
    ),
    ...each(
      'contains hasPrefix hasSuffix trimPrefix trimSuffix trimAll',
      ['""', '"a"', '"hello"', '" "', '"é"', '"d"'],
      ['""', '"a"', '"hello world"', '" aa "', '"é"', '"aaa"'],
    ),
    ...each(
      'split splitList',
      ['""', '","', '"ab"', '"é"'],
      ['""', '"a,b,,c"', '","', '"abab"', '"xéy"'],
    ),
    ...each(
      'join',
      ['""', '","', '", "'],
      ['(list "a" "b")', '(list 1 nil true "x")', '(list)', '"text"', '5', 'nil', '(list 1.5 2)'],
    ),
    ...each('toStrings sortAlpha', [
      '(list "b" "a")',
      '(list 3 1 2)',
      '(list 1 nil "x" true)',
      '(list)',
      '"text"',
      '5',
      '(list 10 9 "a" "B")',
      '(list "é" "z" "E")',
    ]),
    ...each('quote squote cat toString', MIXED),
    'quote "a" 1 nil true',
    'quote',
    'squote "it\'s" 1',
    'cat "a" 1 nil "b"',
    'cat',
    'cat " a " "b "',
    'quote "\\u0001\\u00a0\\u200b\\ufeff\\u007f"',
    'quote "\\U0001F600\\t\\r"',
    'squote nil',
    'quote "é日"',
    'cat "100%" "b"',
    'quote "\\u2028\\ue000"',
    ...VALUES_OF_FORMATS.flatMap((value) =>
      [...new Set(VERBS)].map((verb) => `printf ${createLiteralElement(`%${verb}`)} ${value}`),
    ),
    ...FORMATS,
    ...each(
      'int int64 float64 add1 add1f floor ceil max min biggest maxf minf toDecimal',
      NUMBERS_AS_TEXT,
    ),
    ...each('atoi toDecimal', NUMBERS_AS_TEXT),
    ...each(
      'int int64 float64 add1 add1f floor ceil max maxf minf toDecimal toString kindOf typeOf empty not',
      [...INTEGERS, ...FRACTIONS],
    ),
    ...each('int int64 float64 add1 kindOf typeOf empty not toJson toDecimal max minf', MIXED),
    ...each('add sub mul div mod max min', INTEGERS, INTEGERS),
    ...each(
      'add sub mul max min div mod',
      ['"3"', '2.9', '"x"', 'true', 'nil', '"09"'],
      ['4', '"5"', '-2.5'],
    ),
    ...each(
      'addf subf mulf divf maxf minf',
      [...FRACTIONS.filter((number) => !/e/.test(number)), '3', '"1.5"', '"x"'],
      ['1.5', '3', '"0.1"', '-2.25', '0.7'],
    ),
    ...each('round', [...FRACTIONS, '7', '"2.345"'], ['0', '1', '2', '3', '-1']),
    ...each('default', MIXED, MIXED),
    ...each('coalesce all any', MIXED, MIXED),
    ...each('eq ne', COMPARED, COMPARED),
    ...each('lt le gt ge', COMPARED, COMPARED),
    'eq 1 2 1',
    'eq "a" "b" "a"',
    'eq 1 1.0',
    'lt 1 1.5',
    'eq 1',
    'lt "B" "a"',
    'lt "é" "z"',
    'eq 1 "1"',
    ...each(
      'and or',
      ['0', '1', '""', '"a"', 'false', '(list)'],
      ['0', '1', '""', '"a"', '(dict "a" 1)'],
    ),
    ...INDEXED,
    ...SINGLE,
    ...each(
      'first last rest initial reverse uniq compact mustFirst mustLast mustRest mustInitial mustReverse mustUniq mustCompact',
      LISTS,
    ),
    ...each('append prepend push', LISTS, ['nil', '1', '"x"']),
    ...each('chunk', ['-1', '0', '1', '2', '3', '10'], LISTS),
    ...each('has', ['1', '"a"', '""', 'nil', '(list 1)'], LISTS),
    ...LISTS.flatMap((list) => [
      `slice ${list}`,
      `slice ${list} 1`,
      `slice ${list} 0 2`,
      `slice ${list} 1 1`,
      `slice ${list} 2 1`,
      `slice ${list} 0 9`,
      `slice ${list} -1`,
      `mustSlice ${list} 1 2`,
      `without ${list} 1 "a" nil`,
      `concat ${list} ${list}`,
      `len ${list}`,
      `index ${list} 0`,
    ]),
    ...each('keys values deepCopy toJson toPrettyJson toRawJson len', DICTS).map((call) =>
      /^(keys|values)/.test(call) ? `${call} | toStrings | sortAlpha` : call,
    ),
    ...DICTS.flatMap((dict) =>
      ['"a"', '"b"', '"x"', '"é"'].flatMap((key) => [
        `get ${dict} ${key}`,
        `hasKey ${dict} ${key}`,
        `pick ${dict} ${key}`,
        `omit ${dict} ${key}`,
        `set ${dict} ${key} 9`,
        `unset ${dict} ${key}`,
        `pluck ${key} ${dict} ${dict}`,
        `dig ${key} "none" ${dict}`,
        `dig "a" ${key} "none" ${dict}`,
      ]),
    ),
    ...DICTS.flatMap((left) =>
      DICTS.flatMap((right) => [`merge ${left} ${right}`, `mergeOverwrite ${left} ${right}`]),
    ),
    ...each('toJson toPrettyJson toRawJson', [...TEXTS, ...LISTS, ...FRACTIONS]),
    ...each(
      'semverCompare',
      OPERATORS.flatMap((operator) =>
        OPERANDS.map((operand) => createLiteralElement(operator + operand)),
      ),
      ['"1.2.3"', '"1.22.0"', '"1.21.0"', '"1.21.5-gke.100"', '"0.2.3"', '"1.2.3-alpha"'],
    ),
    ...each('semverCompare', CONSTRAINTS, VERSIONS.map(createLiteralElement)),
    ...[
      '1.2.3',
      'v1.2',
      '1',
      '1.2.3-beta.1+b.2',
      'x',
      '',
      '1.2.3.4',
      '01.2.3',
      '1.2.3-01',
      '1.02',
      '1.2.3-',
      'V1.2.3',
      ' 1.2.3',
      '1.2.3+',
      '1.2.3-a..b',
      '99999999999999999999.0.0',
      '1.2-beta',
      '1-rc.1',
    ].flatMap((text) =>
      ['Major', 'Minor', 'Patch', 'Prerelease', 'Metadata', 'Original'].map(
        (part) => `(semver ${createLiteralElement(text)}).${part}`,
      ),
    ),
    ...DATE_TEXTS.flatMap((pair) => shownDates([`toDate ${pair}`, `mustToDate ${pair}`])),
    ...DATE_TEXTS.map((pair) => `toDate ${pair} | date "3:04PM"`),
    ...LAYOUTS.flatMap((layout) => [
      `dateInZone ${layout} ${AT} "UTC"`,
      `date ${layout} ${AT}`,
      `dateInZone ${layout} 1720000000 "America/New_York"`,
      `dateInZone ${layout} 1705276800 "Asia/Kolkata"`,
    ]),
    ...each('dateInZone "2006-01-02 15:04 MST -0700"', MOMENTS, ZONES),
    ...DURATIONS.flatMap((duration) => [
      ...shownDates([`dateModify ${duration} ${AT}`, `mustDateModify ${duration} ${AT}`]),
      `durationRound ${duration}`,
      `duration ${duration}`,
    ]),
    ...[
      '61s',
      '59s',
      '1s',
      '2s',
      '61m',
      '3600s',
      '3601s',
      '25h',
      '24h1s',
      '721h',
      '8761h',
      '20000h',
      '-61s',
      '-25h',
      '1.9s',
      '999ms',
    ].map((text) => `durationRound ${createLiteralElement(text)}`),
    ...each('urlParse', URLS),
    ...URLS.map((url) => `urlJoin (urlParse ${url})`),
    ...each('base dir clean ext isAbs osBase osDir osClean osExt osIsAbs', PATHS),
    ...each('regexMatch mustRegexMatch regexFind', PATTERNS, REGEX_TEXTS),
    ...each(
      'regexFindAll regexSplit',
      PATTERNS,
      ['"hello world"', '"a1b22c333"', '""', '"aaa"'],
      ['-1', '0', '1', '2'],
    ),
    ...each(
      'regexReplaceAll',
      PATTERNS.slice(0, 17),
      ['"hello world"', '"aaa"', '""'],
      REPLACEMENTS,
    ),
    ...each(
      'regexReplaceAllLiteral',
      PATTERNS.slice(0, 12),
      ['"hello world"', '""'],
      ['"$1"', '"X"'],
    ),
    ...each('html js urlquery print println', [...TEXTS, '1', '1.5', 'true']),
    ...each(
      'typeIs kindIs typeIsLike',
      ['"string"', '"bool"', '"slice"', '"map"', '"[]interface {}"', '"map[string]interface {}"'],
      ['"a"', 'true', '(list 1)', '(dict)'],
    ),
  ]),
];
