/** Go source of texts, as arguments of template functions. */
const literal = (text: string): string => JSON.stringify(text);

/** Every call of a function with one argument out of each slot. */
const calls = (name: string, ...slots: readonly (readonly string[])[]): readonly string[] => {
  let found = [name];
  for (const slot of slots) found = found.flatMap((call) => slot.map((value) => `${call} ${value}`));
  return found;
};

const each = (names: string, ...slots: readonly (readonly string[])[]): readonly string[] =>
  names.split(' ').flatMap((name) => calls(name, ...slots));

/** Every call, with its value formatted as a date. */
const shownDates = (expressions: readonly string[], layout = '"2006-01-02 15:04:05 -0700 MST"') =>
  expressions.map((expression) => `date_in_zone ${layout} (${expression}) "UTC"`);

const TEXTS = [
  '', 'a', 'hello world', 'Hello World', '  two  words ', 'user1', 'EC2Instance', 'HTTPServer2Go', 'some_words-and More',
  'naïve café', '日本語 テキスト', 'a\nb\n\nc\n', 'tab\there', 'x<y>&"\'z', '0123456789', 'ünï 😀 end', "it's",
].map(literal);
const NAMES = [
  'user1', 'EC2Instance', 'ec2instance', 'HTTPServer', 'HTTP20xOk', 'http2Server', 'userID', 'userID2', 'UserIDs', 'aB', 'ABc', 'A', 'AB', 'a1b2C3',
  'getURLFor', 'first_name', 'First-Name', 'first name', '_private', '__dunder__', 'trailing_', '-dash-', 'a--b', 'a  b', 'x_Y', 'already_snake_case',
  'kebab-case-name', 'Duration2m3s', 'Bld4Floor3rd', 'FOO_BAR', 'FooBAR', 'fooBar123baz', '123abc', 'ABC123DEF', 'v1', 'V1Beta2', 'K8s', 'k8sCluster', 'iOS',
  'myIPv4Address', 'ÄpfelUndBirnen', 'élanVital', 'naïveCafé', 'some.dotted.Name', 'path/to/File', 'a:b', 'one.TwoThree', 'x1', 'X1', '1X', '1x', 'a1B', 'A1b',
  'JSONData', 'dataJSON', 'SHA256Sum', 'Sha256sum', 'utf8String', 'UTF8String', 'HTML5', 'h1Title', 'Some1Word', 'some1word2', '20Ok', 'OK20', 'x-1', 'x_1', '1_x', 'ID',
  'ServerHTTP2', 'a.b', 'ab12cd', 'AB12CD', 'Ab12Cd', 'aA1', 'Aa1A', 'hello, World!', '  x', 'x  ', '你好World', 'Worldä1',
].map(literal);
const SENTENCES = [
  'The quick brown fox jumps over the lazy dog', 'short', 'averyveryverylongword', 'a averyveryverylongword b', 'ends with space ', ' starts', 'two  spaces', '   ', '',
  'line\nbreaks are kept here', 'exactly ten', 'abcde fghij', 'abcde fghij ', 'abcdef', 'a b c d e f g', 'trailing word1234567', 'x     ', 'aaaaa     ', '12345 ',
].map(literal);
const COUNTS = ['-100', '-5', '-1', '0', '1', '3', '5', '10', '100'];
const INTEGERS = ['0', '1', '-1', '2', '7', '-7', '10', '100', '1000000', '123456789', '-42'];
const FRACTIONS = ['0.0', '1.5', '-1.5', '2.5', '0.1', '3.14159', '-0.7', '1e6', '123.456', '1e21', '1e-7', '0.5', '100.0'];
const NUMBERS_AS_TEXT = [
  '', '0', '1', '-1', '+5', '09', '010', '08', '007', '-09', '0x1F', '0b101', '0o17', '1_000', '1.0', '1.5', '3.9', '-3.9', '1.', '.5', '1e3', '1E3', ' 1', '1 ', 'abc', '12abc', 'true',
  '1.00', '09.0', '0.0', '-0', '00', '0008', '9007199254740993', '1e400', 'inf', 'NaN', '١', '0x', '-0x10', '+0b1', '1,000', '٣.٥', '0x1p4', '1__0', '_1', '00.0', '010.0', '08.00', '1.0.0', '0.', '+', '-',
].map(literal);
const MIXED = ['0', '1', '-3', '1.5', '"a"', '""', 'true', 'false', 'nil', '(list)', '(list 1 2)', '(dict)', '(dict "a" 1)'];
const LISTS = ['(list)', '(list 1)', '(list 1 2 3)', '(list "b" "a" "c" "a")', '(list 0 "" nil false 1 "x")', '(list 1 "1" 1.5 true)', '(list (list 1) (list 1) (dict "a" 1))', '(list 3 1 2 3 1)'];
const DICTS = ['(dict)', '(dict "a" 1)', '(dict "a" 1 "b" "x" "c" nil)', '(dict "a" (dict "b" (dict "c" 2)) "d" (list 1))', '(dict "é" 1 "B" 2 "a" 3)', '(dict "a" 0 "b" "" "c" false)'];

const VERSIONS = ['1.2.3', '1.21.0', '1.22.0', '1.22.0-0', '1.21.5-gke.100', '2.0.0', '0.2.3', '0.0.3', '1.2.3-alpha', '1.2.4-beta.2', 'v1.2', '1', '1.2.3+build'];
const OPERATORS = ['', '=', '!=', '>', '<', '>=', '<=', '=>', '=<', '~', '~>', '^'];
const OPERANDS = ['1', '1.2', '1.2.3', '1.21-0', '1.22-0', '1-0', '1.2.3-alpha', '0', '0.2', '0.2.3', '0.0', '0.0.3', '1.x', '1.2.x', '*', '1.2.x-0', 'v1.21', '0-0', '0.0-0'];
const CONSTRAINTS = [
  '>=1.21-0', '<1.22-0', '!=1.21-0', '>= 1.19-0, < 1.23-0', '>=1.19-0 <1.23-0', '1.2 - 1.4', '1.2.0 - 1.22.0', '1 - 2', '1.2-0 - 1.22-0', '^1.2 || ^2', '~1.2 || >=2.0', '>1 <2', '>1,<2', '>1, <2', '>1 , <2', '', ' ', '*', 'x', '1.x.x',
  '1.x || >=2.5.0 || 5.0.0 - 7.2.3', '!=1.2.x', '!=1.x', '!=1', '> 1.2', '>=1.2.x', '<1.2.x', '<=1.2.x', '>1.2.x', '~1.2.x', '^1.2.x', '^0.x', '~0.x', '^*', '~*', '!=*', '>*', '<*', '<=*', '>=*', '1.2.3 1.2.3', '||', '1 ||', '|| 1',
  'foo', '>', '>=', '=1.2.3', '==1.2.3', '>=v1.2.0', '1.2.3.4', '01.2.3', '>=1.2.3-alpha.1 <2.0.0', '>1.2.3-alpha', '^1.2.3-beta.2', '~1.2.3-alpha', '>=1.0.0-0', '>=0-0', '>0-0', '^1-0', '~1-0', '~1.21-0', '^1.21-0', '=1.21-0', '1.21-0', '>1.21-0', '<=1.21-0',
  '>=1.2.3+build', '=1.2.3+other', '^1.2.3, !=1.2.3', '>=1.2 !=1.22.0', '1.2.*', '1.*', '1.X', '=>1.2', '=<1.2', '>=1.2.3 || <1.0.0', '<2 || >3', '~>1.2.3', '!1.2.3', '>=1.2,>=1.3', '>=1 ,<3', '>= 1.2.3 - 2', '1.2.3-0 - 2.0.0',
].map(literal);

const VALUES_OF_FORMATS = ['5', '-5', '0', '255', '1.5', '-2.25', '1e21', '"text"', '"q\\"é\\n"', '""', 'true', 'nil', '(list 1 "a")', '(dict "a" 1 "b" "x")', '(list)'];
const VERBS = ['v', '+v', '#v', 'T', 'q', '#q', '+q', 's', 'd', '+d', '5d', '-5d', '05d', ' d', 'x', 'X', '#x', '# x', 'o', '#o', 'O', 'b', 'c', 'U', '#U', 'e', 'E', 'f', '.2f', '8.3f', '08.3f', '+.1f', '-8.2f', 'g', 'G', '.3g', 't', '5t', '10s', '-10s', '.2s', '10.3s', '010d', '5q', 'p', 'z', '3c', '#v', '.0f', 'F', '-5v', '5v', '+5d', '.3d', '8.3d', '.10e', '#g', '#.3x', '6.2f%%'];
const FORMATS = [
  'printf "%d %s" 1 "a"', 'printf "%[2]d %[1]d" 1 2', 'printf "%*d" 5 42', 'printf "%-*d|" 5 42', 'printf "%.*f" 2 3.14159', 'printf "%%"', 'printf "%"', 'printf "%d"', 'printf "a" 1', 'printf "%d %d" 1', 'printf "%!" 1', 'printf "%s" (list "a" "b")',
  'printf "%d" (list 1 2)', 'printf "%q" (list "a" "b")', 'printf "%x" "hello"', 'printf "% x" "hello"', 'printf "%#x" "hi"', 'printf "%X" "hi"', 'printf "%5.1f|%-8s|%+d" 3.14159 "ab" 7', 'printf "%c%c" 72 105', 'printf "%U" 128512', 'printf "%#U" 128512', 'printf "%08b" 5',
  'printf "%o" 8', 'printf "%t %v" true false', 'printf "%6.2f" 3.14159', 'printf "%+.2e" 12345.678', 'printf "%g" 100000.5', 'printf "%g" 1e21', 'printf "%g" 1e20', 'printf "%e" 0.0', 'printf "%G" 1e-10', 'printf "%s %s" "a" "b"', 'printf "%3d|%-3d|%03d" 7 7 7', 'printf "%v" 1.5', 'printf "%v" "s"',
  'printf "%T %T %T" 1.5 "a" true', 'printf "%10.4v|" "abcdefgh"', 'printf "%-10q|" "ab"', 'printf "%x" -255', 'printf "%+d %+d" 5 -5', 'printf "%+.3g" 1234.5678', 'printf "%08.3f" -3.14159', 'printf "%+08d" 42', 'printf "%-08d|" 42', 'printf "%x" 3.5', 'printf "%b" 0.5', 'printf "%#o" 8', 'printf "%#b" 5', 'printf "%s" nil', 'printf "%v %v" nil true',
  'printf "%6d|%-6d|%06d" -42 -42 -42', 'printf "%q" 65', 'printf "%q" "日本"', 'printf "%+q" "日本"', 'printf "%#q" "a`b"', 'printf "%#q" "ab"', 'printf "%5s|%-5s|%.1s" "é" "é" "éa"', 'printf "%05s" "ab"', 'printf "%c" 0', 'printf "% d" 5', 'printf "%[1]d %[1]v %[1]x" 10', 'printf "%[3]d" 1 2', 'printf "%.3v" 3.14159', 'printf "%5t|%-7t|" true false',
];

const DATE_TEXTS: readonly (readonly [layout: string, text: string])[] = [
  ['15:04', '13:02'], ['2006-01-02', '2024-02-29'], ['2006-01-02', '2023-02-29'], ['2006-01-02', 'nonsense'], ['2006-01-02', ''], ['2006-01-02T15:04:05Z07:00', '2024-05-06T07:08:09+02:00'], ['2006-01-02T15:04:05Z07:00', '2024-05-06T07:08:09Z'],
  ['Jan 2, 2006', 'Mar 5, 2021'], ['January 2 2006', 'march 5 2021'], ['02/01/06', '31/12/99'], ['02/01/06', '31/12/68'], ['3:04PM', '1:02PM'], ['3:04PM', '12:02AM'], ['3:04PM', '13:02PM'], ['15:04:05.000', '01:02:03.456'], ['15:04:05', '01:02:03.456'], ['Mon Jan _2 15:04:05 2006', 'Tue Mar  5 01:02:03 2024'],
  ['2006-01-02 15:04:05 MST', '2024-01-02 03:04:05 CET'], ['2006-01-02 15:04:05 MST', '2024-01-02 03:04:05 UTC'], ['2006-01-02 15:04:05 MST', '2024-01-02 03:04:05 GMT+3'], ['2006-01-02 15:04:05 -0700', '2024-01-02 03:04:05 -0330'], ['2006-002', '2024-060'], ['2006', '2024'], ['Jan', 'Feb'], ['2', '31'], ['1/2', '2/30'], ['2006-1-2', '2024-1-2'], ['2006-01-02', '2024-1-2'],
  ['Monday', 'Friday'], ['04', '59'], ['04', '60'], ['15', '24'], ['5', '7'], ['_2', ' 3'], ['06', '24'], ['2006-01-02 15:04', '2024-12-31 23:59'], ['20060102150405', '20240102030405'], ['2006-01-02', '2024-13-01'], ['2006-01-02', '2024-00-10'], ['2006-01-02', '2024-04-31'], ['.000', '.123'],
  ['2006-01-02 15:04:05 MST', '2024-07-02 03:04:05 CEST'], ['2006-01-02 15:04:05 MST', '2024-07-02 03:04:05 +05'], ['2006-01-02 15:04:05 MST', '2024-07-02 03:04:05 ABCD'], ['2006-01-02 15:04:05 MST', '2024-07-02 03:04:05 abc'], ['2006-01-02T15:04:05.999999999Z07:00', '2024-05-06T07:08:09.120Z'], ['3:04:05 pm', '1:02:03 am'], ['15h04m', '13h02m'], ['Jan _2', 'Mar 15'],
];
const LAYOUTS = [
  '3:04PM', '15:04:05', '2006-01-02', 'Mon Jan _2 15:04:05 2006', 'Monday, 02-Jan-06 15:04:05 MST', '02 Jan 06 15:04 -0700', '2006-01-02T15:04:05.999999999Z07:00', '2006-01-02T15:04:05.000Z0700', 'January 2, 2006', '__2 002', '1/2/06', 'Z07', '-07:00:00', '03:04:05 pm', '.000 ,000', '05.00', 'Jan 2 at 3pm', '2006 06 6', 'MST', 'stuff 2007', '', 'Jan. 02', 'Mondays', '_2006', '20060102', '15.04', 'janv', '04.05', '05,999', '5.9', 'Z070000', '-070000', '2006-01-02T15:04:05', 'Januaryx', 'Monx', '_2_2', '__2006',
].map(literal);
const ZONES = [
  'UTC', '', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Asia/Kolkata', 'Australia/Sydney', 'America/Sao_Paulo', 'Africa/Johannesburg', 'Asia/Shanghai', 'Europe/London', 'Europe/Moscow', 'Asia/Kathmandu', 'Pacific/Auckland', 'America/St_Johns', 'America/Los_Angeles', 'America/Denver', 'Asia/Hong_Kong', 'Asia/Singapore', 'Asia/Seoul', 'Asia/Karachi', 'Asia/Jakarta', 'Asia/Manila', 'Asia/Dubai', 'Europe/Dublin', 'Europe/Lisbon', 'Europe/Athens', 'Africa/Lagos', 'Africa/Nairobi', 'Africa/Cairo', 'America/Halifax', 'America/Anchorage', 'Pacific/Honolulu', 'America/Phoenix', 'America/Argentina/Buenos_Aires', 'America/Bogota', 'America/Mexico_City', 'Asia/Jerusalem', 'Asia/Tehran', 'Australia/Perth', 'Australia/Darwin', 'Australia/Adelaide', 'Pacific/Apia', 'Pacific/Guam', 'Etc/GMT+5', 'GMT', 'CET', 'EST', 'EST5EDT', 'Europe/Kiev', 'Europe/Istanbul', 'Asia/Taipei', 'Asia/Bangkok', 'America/Havana', 'Atlantic/Reykjavik', 'Africa/Casablanca', 'Antarctica/Troll', 'Australia/Lord_Howe', 'Zulu', 'MST', 'HST', 'WET', 'MET', 'EET', 'PST8PDT', 'Asia/Makassar', 'Asia/Jayapura', 'Africa/Maputo', 'America/Caracas',
].map(literal);
const MOMENTS = ['1705276800', '1720000000', '0', '1709208245'];
const AT = '(toDate "2006-01-02 15:04:05.000" "2024-03-05 01:02:03.456")';
const DURATIONS = ['1h', '-1h', '90m', '1h30m', '1.5h', '100ms', '-1.5s', '720h', '1d', '', 'x', '1h-30m', '+5m', '0', '8760h', '1us', '24h', '.5h', '1.h'].map(literal);

const URLS = [
  'https://user:pw@example.com:8080/a/b?x=1&y=2#frag', 'http://example.com', '/only/path', 'mailto:a@b.c', 'https://example.com/a%20b?q=%26', 'https://[::1]:80/', '', 'not a url', 'https://example.com/ü', '//host/path', 'http://h?q', 'http://h#', 'ftp://u@h/', 'a:b:c', 'http://h/%zz', 'http://h:port/', '?q=1', '#f', 'HTTP://Example.COM/X', 'http://a b/', 'https://h/a b',
].map(literal);
const PATHS = ['', '/', 'a', 'a/b', '/a/b/', 'a/../b', '../a', './a', '/..', 'a//b', 'x.tar.gz', '.hidden', 'dir.d/file', 'a/.', 'trailing.', '/a/b.c', '....', 'a/b/../../..'].map(literal);

const PATTERNS = ['[a-z]+', '^h', 'o', '(\\w+) (\\w+)', '', '(?i)HELLO', '\\d+', 'l{2}', '[', '(?P<first>\\w)(?P<rest>\\w*)', '\\bw', '日', 'x*', '(', 'a|b', '\\s', '.', '(?s).+', '\\p{L}+', '[[:upper:]]', '(?m)^.', '$', '\\C', '(?=a)', 'a**', '\\Qa.b\\E'].map(literal);
const REGEX_TEXTS = ['hello world', '', 'a1b22c333', 'Hello 日本', 'aaa', 'x\ny', 'a.b'].map(literal);
const REPLACEMENTS = ['', 'X', '$1', '${1}W', '$1W', '$$', '$0', '${first}-$rest', '$2 $1', '\\1', '${', '$'].map(literal);

const COMPARED = ['0', '1', '2', '-1', '"a"', '"b"', '""', 'true', 'false', 'nil', '1.5', '2.5', '(list 1)', '(dict)'];
const INDEXED = [
  'index (list 1 2 3) 0', 'index (list 1 2 3) 2', 'index (list 1 2 3) 3', 'index (list 1 2 3) -1', 'index (dict "a" 1) "a"', 'index (list (list 1 2) 3) 0 1', 'index (dict "a" (list 5 6)) "a" 1', 'index (list 1) "a"', 'index (dict "a" 1) 1', 'index "abc" 1', 'index (list 1 2)', 'index nil 1', 'index 5 0',
  'len "abc"', 'len "日本"', 'len (list 1 2)', 'len (dict "a" 1)', 'len 5', 'len nil', 'len true', 'len ""', 'slice "abcdef" 1 3', 'slice "abcdef" 2', 'slice "abcdef"', 'slice "abc" 0 5', 'slice "abc" 2 1', 'slice "abc" -1', 'slice "abcdef" 6', 'slice "abcdef" 1 2 3', 'slice 5 1',
];

/** Calls that are not worth a table of their own. */
const SINGLE = [
  'and 1 0 2', 'and 1 2', 'and "" (fail "x")', 'or 1 (fail "x")', 'or 0 ""', 'or 0 "" "x"', 'not 0', 'not "a"', 'not (list)', 'and true (list) 1', 'print 1 2 3', 'print "a" "b"', 'print 1 "a" 2', 'print "a" 1 2 "b"', 'print true false', 'print 1.5 2', 'print', 'println', 'println 1 2', 'println "a" "b" 3', 'print nil', 'print "a" nil "b"',
  'html "<a href=\'x\'>&\\"</a>"', 'html 1 2', 'html "a" "b"', 'html nil', 'html "\\u0000x"', 'js "it\'s \\"q\\" <b>&=\\n\\t\\\\"', 'js "日本\\u2028"', 'js 5', 'js "a" "b"', 'urlquery "a b&c=d/é?"', 'urlquery 1 2', 'urlquery "~-_.!*()"', 'urlquery "a" "b"', 'urlquery nil',
  'dig "a" "b" "none" (dict "a" (dict "b" 1))', 'dig "a" "x" "none" (dict "a" (dict "b" 1))', 'dig "x" "none" (dict)', 'dig "a" "b" "none" (dict "a" 1)', 'dig "a" 0 (dict "a" nil)', 'dig "a" "b" "none" (dict "a" nil)', 'pluck "a" (dict "a" 1) (dict "b" 2) (dict "a" 3)', 'pluck "a"', 'pick (dict "a" 1 "b" 2) "a" "x"', 'omit (dict "a" 1 "b" 2) "a" "x"', 'pick (dict "a" 1)', 'omit (dict "a" 1)',
  'merge (dict "a" 1) (dict "a" 2 "b" 3)', 'merge (dict "a" 0) (dict "a" 2)', 'merge (dict "a" (dict "x" 1)) (dict "a" (dict "x" 2 "y" 3))', 'mergeOverwrite (dict "a" 1) (dict "a" 2 "b" 3)', 'mergeOverwrite (dict "a" 1 "l" (list 1)) (dict "a" 0 "l" (list 2 3))', 'mergeOverwrite (dict "a" (dict "x" 1)) (dict "a" (dict "y" 3))', 'merge (dict "a" "") (dict "a" "x")', 'merge (dict "a" false) (dict "a" true)', 'merge (dict "a" nil) (dict "a" 1)',
  'mergeOverwrite (dict "a" 1) (dict "a" nil)', 'mergeOverwrite (dict "a" 1) (dict "a" "")', 'mergeOverwrite (dict "a" (dict "b" 1)) (dict "a" 5)', 'mergeOverwrite (dict "a" 5) (dict "a" (dict "b" 1))', 'merge (dict "a" (dict "b" 1)) (dict "a" 5)', 'merge (dict "a" 5) (dict "a" (dict "b" 1))', 'merge (dict) (dict "a" 1) (dict "a" 2)', 'mergeOverwrite (dict) (dict "a" 1) (dict "a" 2)', 'merge (dict "a" (list)) (dict "a" (list 1))', 'merge (dict "a" (list 1)) (dict "a" (list 2))',
  'mergeOverwrite (dict "a" (list 1)) (dict "a" (list))', 'mergeOverwrite (dict "a" true) (dict "a" false)', 'mergeOverwrite (dict "a" 3) (dict "a" 0)', 'set (dict "a" 1) "b" 2', 'unset (dict "a" 1 "b" 2) "a"', 'unset (dict) "a"', 'hasKey (dict "a" nil) "a"', 'get (dict "a" 1) "b"', 'get (dict "a" nil) "a"', 'dict "a"', 'dict "a" 1 "b"', 'dict 1 2', 'dict nil 2', 'dict true 1', 'dict "a" 1 "a" 2', 'dict 1.5 2',
  'deepCopy (dict "a" (list 1))', 'deepCopy (list 1)', 'deepEqual (list 1 2) (list 1 2)', 'deepEqual (dict "a" 1) (dict "a" 1)', 'deepEqual 1 "1"', 'deepEqual nil nil', 'deepEqual (list) (list)', 'concat (list 1) (list 2 3) (list)', 'concat (list 1)', 'concat', 'concat (list 1) 2', 'without (list 1 2 3 1) 1', 'without (list 1 2) 3', 'without (list "a" "b") "a" "b"', 'without (list)', 'without (list 1 "1") "1"', 'without (list nil 1) nil',
  'has 1 (list 1 2)', 'has "1" (list 1 2)', 'has nil (list nil)', 'has 1 (list)', 'has 1 nil', 'has (list 1) (list (list 1))', 'has 1 "a"', 'first nil', 'last nil', 'first "abc"', 'append nil 1', 'append (list) nil', 'append (list 1) (list 2)', 'prepend (list 1) nil', 'reverse "abc"', 'uniq nil', 'compact nil',
  'ternary "y" "n" true', 'ternary "y" "n" false', 'ternary 1 2 true', 'ternary 1 2 "x"', 'default', 'default 1', 'default "x" 0', 'default "x" nil', 'coalesce', 'coalesce nil 0 "" "x" "y"', 'coalesce nil', 'all', 'any', 'all 1 "a" (list)', 'all 1 "a"', 'any 0 "" nil', 'any 0 "x"', 'fail "boom"', 'hello',
  'splitn "/" 2 "a/b/c"', 'splitn "/" 0 "a/b"', 'splitn "/" -1 "a/b/c"', 'splitn "" 2 "abc"', 'splitn "/" 10 "a/b"', 'splitn "x" 2 ""', 'plural "one" "many" 0', 'plural "one" "many" 1', 'plural "one" "many" 2', 'plural "one" "many" -1', 'seq', 'seq 5', 'seq -3', 'seq 0', 'seq 1', 'seq 2 5', 'seq 5 2', 'seq 0 2 10', 'seq 0 2 9', 'seq 10 -3 0', 'seq 0 -2 5', 'seq 5 1 2', 'seq 1 2 3 4', 'seq 0 0 5', 'seq 5 5', 'seq 0 3 10',
  'untilStep 0 10 3', 'untilStep 10 0 -3', 'untilStep 0 10 -1', 'untilStep 10 0 1', 'untilStep 0 0 1', 'untilStep 0 5 0', 'untilStep 3 3 -1', 'untilStep -5 5 5', 'until 0', 'until 3', 'until -3', 'kindIs "string" "a"', 'kindIs "slice" (list)', 'kindIs "map" (dict)', 'kindIs "bool" true', 'typeIs "string" "a"', 'typeIsLike "string" "a"', 'typeIs "*string" "a"',
  'atoi "12"', 'fromJson "{\\"a\\":[1,2,{\\"b\\":null}]}"', 'fromJson "[1, 2"', 'mustFromJson "[1, 2"', 'fromJson "1.5"', 'fromJson "\\"x\\""', 'fromJson ""', 'fromJson "null"', 'fromJson "true x"', 'fromJson "{\\"a\\":1,\\"a\\":2}"', 'fromJson "1e3"', 'fromJson "\\"\\\\ud83d\\\\ude00\\""', 'fromJson "\\"\\\\ud83d\\""', 'fromJson " [1] "', 'fromJson "[1,]"', 'fromJson "01"', 'fromJson "{a:1}"',
  'toJson "<a>&\\u2028é"', 'toRawJson "<a>&\\u2028é"', 'toPrettyJson (dict "a" (list 1 2) "b" (dict) "c" (list) "d" "<x>")', 'toPrettyJson (list)', 'toPrettyJson "x"', 'toJson nil', 'toRawJson (dict "z" 1 "a" "<>")', 'toJson (dict "b" 1 "a" (list nil true))', 'toJson "\\u0000\\u001f\\u007f\\t\\n\\r\\"\\\\/\\b\\f"', 'toJson 1e21', 'toJson 1e20', 'toJson 1e-7', 'toJson 0.000001', 'toJson 100.0', 'toJson -0.0', 'toJson 1.0e5',
  'add', 'add 1', 'max 1 "5" 3', 'min 1 "0" 3', 'add "1" 2.9 true nil', 'sub 5 3', 'mul 2 3 4', 'mul 2', 'div 7 2', 'div -7 2', 'div 7 0', 'mod 7 3', 'mod -7 3', 'mod 7 -3', 'mod 7 0', 'add1 "4"', 'divf 1 3', 'divf 1 0', 'divf 10 4 2', 'addf 0.1 0.2', 'subf 1 0.9', 'mulf 1.1 1.1', 'add1f 0.1', 'round 2.5 0', 'round 1.005 2', 'round 123.4567 -1', 'round 123.4567 2 0.9', 'round "1.25" 1', 'addf', 'subf 5', 'maxf 1.5', 'minf "2.5" 1',
  'urlJoin (dict "scheme" "https" "host" "h:8" "path" "/p" "query" "a=b" "fragment" "f")', 'urlJoin (dict "scheme" "https" "host" "h" "userinfo" "u:p" "path" "p q")', 'urlJoin (dict "host" "h" "path" "x")', 'urlJoin (dict "scheme" "mailto" "opaque" "a@b")', 'urlJoin (dict)', 'urlJoin (dict "path" "a b?c")', 'urlJoin (dict "scheme" "s" "host" "h" "path" "é" "fragment" "a b")',
  'regexQuoteMeta "1.2[a]{3}(x)|y^$\\\\+*?-é"', 'adler32sum ""', 'duration 95', 'duration "95"', 'duration "x"', 'duration 0', 'duration -61', 'duration "3600"', 'duration "86401"', 'duration ""', 'duration "1.5"', 'unixEpoch (toDate "2006-01-02" "1970-01-02")', 'unixEpoch (toDate "2006" "x")', 'unixEpoch (toDate "2006-01-02" "1900-01-01")', 'htmlDate 0', 'htmlDate 86400', 'htmlDateInZone 0 "America/New_York"', 'date "2006-01-02 15:04:05" 1700000000',
];

/** Whole templates, which print a text themselves. */
export const TEXT_TEMPLATES: readonly string[] = [
  ...['1', '1.5', '"a"', 'true', '-7', '"<&>"', '"日本"'].flatMap((value) => [`{{ ${value} }}`, `{{ print ${value} }}|`, `a {{- ${value} -}} b`, `{{ ${value} | printf "%v" }}`]),
  '{{ range list 1 2 3 }}{{ . }},{{ end }}', '{{ range $i, $x := list "a" "b" }}{{ $i }}{{ $x }}{{ end }}', '{{ range $k, $v := dict "b" 1 "a" 2 }}{{ $k }}={{ $v }};{{ end }}', '{{ range list }}x{{ else }}none{{ end }}', '{{ range 3 }}{{ . }}{{ end }}', '{{ range list 1 2 3 }}{{ if eq . 2 }}{{ continue }}{{ end }}{{ . }}{{ end }}', '{{ range list 1 2 3 }}{{ if eq . 2 }}{{ break }}{{ end }}{{ . }}{{ end }}',
  '{{ with "x" }}{{ . }}{{ end }}', '{{ with "" }}a{{ else }}b{{ end }}', '{{ with "" }}a{{ else with "c" }}{{ . }}{{ end }}', '{{ if 0 }}a{{ else if 1 }}b{{ else }}c{{ end }}', '{{ $x := 1 }}{{ $x = 2 }}{{ $x }}', '{{ $x := 1 }}{{ if true }}{{ $x = 5 }}{{ end }}{{ $x }}', '{{ define "t" }}[{{ . }}]{{ end }}{{ template "t" 5 }}', '{{/* c */}}x', '{{- /* c */ -}} x', '{{ "a" -}} \n b', 'x\n\n{{- "a" }}', '{{ `raw\\n` }}', "{{ 'a' }}", '{{ printf "%c" \'b\' }}', '{{ 0x1F }}', '{{ 1_000 }}', '{{ 0b11 }}', '{{ 0o17 }}', '{{ 017 }}', '{{ 1e3 }}', '{{ "\\x41\\u00e9\\101" }}', '{{ block "b" 1 }}{{ . }}{{ end }}',
  '{{ not true }}', '{{ (dict "a" (dict "b" 3)).a.b }}', '{{ $d := dict "x" 1 }}{{ $d.x }}', '{{ $d := dict "x" 1 }}{{ $d.y }}', '{{ if and true (eq 1 1) }}y{{ end }}', '{{ len (list 1 2) | printf "%03d" }}', '{{ "a" | upper | repeat 2 }}', '{{ nil }}', '{{ unknown 1 }}', '{{ if }}x{{ end }}', '{{ upper }}', '{{ upper "a" "b" }}', '{{ range $i := list 4 5 }}{{ $i }}{{ end }}', '{{ 1 | add 2 | mul 3 }}', '{{ $x }}', '{{ "unclosed }}', '{{ end }}', '{{ if true }}', '{{else}}', '{{ break }}', '{{ template "none" }}', '{{ . }}}', '{{{ 1 }}}', '{{ 1 }}{{', '{{ range $i, $c := until 3 }}{{ $i }}:{{ $c }} {{ end }}',
];

/** Expressions of which both sides print the JSON. Deterministic: nothing here depends on the clock or on chance. */
export const EXPRESSIONS: readonly string[] = [
  ...new Set([
    ...each('upper lower title untitle swapcase initials nospace trim snakecase kebabcase camelcase b64enc b32enc b64dec b32dec sha1sum sha256sum sha512sum adler32sum quote squote toString', TEXTS),
    ...each('snakecase kebabcase camelcase swapcase title untitle initials', NAMES),
    ...each('trunc', COUNTS, TEXTS),
    ...each('substr', ['-1', '0', '1', '3'], ['-1', '0', '2', '5', '50'], ['"hello world"', '"a"', '"日本語"', '"0123456789"']),
    ...each('abbrev', ['0', '3', '4', '5', '8', '20'], TEXTS),
    ...each('abbrevboth', ['-1', '0', '1', '4', '5', '6', '8'], ['3', '4', '6', '7', '8', '10'], ['"1234 5678 9123"', '"hello world"', '"short"', '"0123456789"']),
    ...each('wrap', ['-1', '0', '1', '5', '10', '20'], SENTENCES),
    ...each('wrapWith', ['0', '1', '5', '10'], ['"|"', '"\\n"', '""', '"--"'], SENTENCES),
    ...each('indent nindent', ['0', '1', '4', '-1'], ['""', '"a"', '"a\\nb"', '"a\\n"', '"\\n\\n"']),
    ...each('repeat', ['0', '1', '3', '-1'], ['""', '"ab"', '"é"']),
    ...each('replace', ['""', '"a"', '"l"', '"日"', '"$1"'], ['""', '"X"', '"$&"'], ['""', '"hello"', '"日本日"', '"aaa"']),
    ...each('contains hasPrefix hasSuffix trimPrefix trimSuffix trimAll', ['""', '"a"', '"hello"', '" "', '"é"', '"d"'], ['""', '"a"', '"hello world"', '" aa "', '"é"', '"aaa"']),
    ...each('split splitList', ['""', '","', '"ab"', '"é"'], ['""', '"a,b,,c"', '","', '"abab"', '"xéy"']),
    ...each('join', ['""', '","', '", "'], ['(list "a" "b")', '(list 1 nil true "x")', '(list)', '"text"', '5', 'nil', '(list 1.5 2)']),
    ...each('toStrings sortAlpha', ['(list "b" "a")', '(list 3 1 2)', '(list 1 nil "x" true)', '(list)', '"text"', '5', '(list 10 9 "a" "B")', '(list "é" "z" "E")']),
    ...each('quote squote cat toString', MIXED),
    'quote "a" 1 nil true', 'quote', 'squote "it\'s" 1', 'cat "a" 1 nil "b"', 'cat', 'cat " a " "b "', 'quote "\\u0001\\u00a0\\u200b\\ufeff\\u007f"', 'quote "\\U0001F600\\t\\r"', 'squote nil', 'quote "é日"', 'cat "100%" "b"', 'quote "\\u2028\\ue000"',
    ...VALUES_OF_FORMATS.flatMap((value) => [...new Set(VERBS)].map((verb) => `printf ${literal(`%${verb}`)} ${value}`)),
    ...FORMATS,
    ...each('int int64 float64 add1 add1f floor ceil max min biggest maxf minf toDecimal', NUMBERS_AS_TEXT),
    ...each('atoi toDecimal', NUMBERS_AS_TEXT),
    ...each('int int64 float64 add1 add1f floor ceil max maxf minf toDecimal toString kindOf typeOf empty not', [...INTEGERS, ...FRACTIONS]),
    ...each('int int64 float64 add1 kindOf typeOf empty not toJson toDecimal max minf', MIXED),
    ...each('add sub mul div mod max min', INTEGERS, INTEGERS),
    ...each('add sub mul max min div mod', ['"3"', '2.9', '"x"', 'true', 'nil', '"09"'], ['4', '"5"', '-2.5']),
    ...each('addf subf mulf divf maxf minf', [...FRACTIONS.filter((number) => !/e/.test(number)), '3', '"1.5"', '"x"'], ['1.5', '3', '"0.1"', '-2.25', '0.7']),
    ...each('round', [...FRACTIONS, '7', '"2.345"'], ['0', '1', '2', '3', '-1']),
    ...each('default', MIXED, MIXED),
    ...each('coalesce all any', MIXED, MIXED),
    ...each('eq ne', COMPARED, COMPARED),
    ...each('lt le gt ge', COMPARED, COMPARED),
    'eq 1 2 1', 'eq "a" "b" "a"', 'eq 1 1.0', 'lt 1 1.5', 'eq 1', 'lt "B" "a"', 'lt "é" "z"', 'eq 1 "1"',
    ...each('and or', ['0', '1', '""', '"a"', 'false', '(list)'], ['0', '1', '""', '"a"', '(dict "a" 1)']),
    ...INDEXED,
    ...SINGLE,
    ...each('first last rest initial reverse uniq compact mustFirst mustLast mustRest mustInitial mustReverse mustUniq mustCompact', LISTS),
    ...each('append prepend push', LISTS, ['nil', '1', '"x"']),
    ...each('chunk', ['-1', '0', '1', '2', '3', '10'], LISTS),
    ...each('has', ['1', '"a"', '""', 'nil', '(list 1)'], LISTS),
    ...LISTS.flatMap((list) => [`slice ${list}`, `slice ${list} 1`, `slice ${list} 0 2`, `slice ${list} 1 1`, `slice ${list} 2 1`, `slice ${list} 0 9`, `slice ${list} -1`, `mustSlice ${list} 1 2`, `without ${list} 1 "a" nil`, `concat ${list} ${list}`, `len ${list}`, `index ${list} 0`]),
    ...each('keys values deepCopy toJson toPrettyJson toRawJson len', DICTS).map((call) => (/^(keys|values)/.test(call) ? `${call} | toStrings | sortAlpha` : call)),
    ...DICTS.flatMap((dict) => ['"a"', '"b"', '"x"', '"é"'].flatMap((key) => [`get ${dict} ${key}`, `hasKey ${dict} ${key}`, `pick ${dict} ${key}`, `omit ${dict} ${key}`, `set ${dict} ${key} 9`, `unset ${dict} ${key}`, `pluck ${key} ${dict} ${dict}`, `dig ${key} "none" ${dict}`, `dig "a" ${key} "none" ${dict}`])),
    ...DICTS.flatMap((left) => DICTS.flatMap((right) => [`merge ${left} ${right}`, `mergeOverwrite ${left} ${right}`])),
    ...each('toJson toPrettyJson toRawJson', [...TEXTS, ...LISTS, ...FRACTIONS]),
    ...each('semverCompare', OPERATORS.flatMap((operator) => OPERANDS.map((operand) => literal(operator + operand))), ['"1.2.3"', '"1.22.0"', '"1.21.0"', '"1.21.5-gke.100"', '"0.2.3"', '"1.2.3-alpha"']),
    ...each('semverCompare', CONSTRAINTS, VERSIONS.map(literal)),
    ...['1.2.3', 'v1.2', '1', '1.2.3-beta.1+b.2', 'x', '', '1.2.3.4', '01.2.3', '1.2.3-01', '1.02', '1.2.3-', 'V1.2.3', ' 1.2.3', '1.2.3+', '1.2.3-a..b', '99999999999999999999.0.0', '1.2-beta', '1-rc.1'].flatMap((text) => ['Major', 'Minor', 'Patch', 'Prerelease', 'Metadata', 'Original'].map((part) => `(semver ${literal(text)}).${part}`)),
    ...DATE_TEXTS.flatMap(([layout, text]) => shownDates([`toDate ${literal(layout)} ${literal(text)}`, `mustToDate ${literal(layout)} ${literal(text)}`])),
    ...DATE_TEXTS.map(([layout, text]) => `toDate ${literal(layout)} ${literal(text)} | date "3:04PM"`),
    ...LAYOUTS.flatMap((layout) => [`dateInZone ${layout} ${AT} "UTC"`, `date ${layout} ${AT}`, `dateInZone ${layout} 1720000000 "America/New_York"`, `dateInZone ${layout} 1705276800 "Asia/Kolkata"`]),
    ...each('dateInZone "2006-01-02 15:04 MST -0700"', MOMENTS, ZONES),
    ...DURATIONS.flatMap((duration) => [...shownDates([`dateModify ${duration} ${AT}`, `mustDateModify ${duration} ${AT}`]), `durationRound ${duration}`, `duration ${duration}`]),
    ...['61s', '59s', '1s', '2s', '61m', '3600s', '3601s', '25h', '24h1s', '721h', '8761h', '20000h', '-61s', '-25h', '1.9s', '999ms'].map((text) => `durationRound ${literal(text)}`),
    ...each('urlParse', URLS),
    ...URLS.map((url) => `urlJoin (urlParse ${url})`),
    ...each('base dir clean ext isAbs osBase osDir osClean osExt osIsAbs', PATHS),
    ...each('regexMatch mustRegexMatch regexFind', PATTERNS, REGEX_TEXTS),
    ...each('regexFindAll regexSplit', PATTERNS, ['"hello world"', '"a1b22c333"', '""', '"aaa"'], ['-1', '0', '1', '2']),
    ...each('regexReplaceAll', PATTERNS.slice(0, 17), ['"hello world"', '"aaa"', '""'], REPLACEMENTS),
    ...each('regexReplaceAllLiteral', PATTERNS.slice(0, 12), ['"hello world"', '""'], ['"$1"', '"X"']),
    ...each('html js urlquery print println', [...TEXTS, '1', '1.5', 'true']),
    ...each('typeIs kindIs typeIsLike', ['"string"', '"bool"', '"slice"', '"map"', '"[]interface {}"', '"map[string]interface {}"'], ['"a"', 'true', '(list 1)', '(dict)']),
  ]),
];
