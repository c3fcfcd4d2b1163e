import { describe, expect, it } from 'vitest';
import { rendered } from './render-function.ts';

const TOO_MUCH = 'the rendering takes more than it is allowed to';

describe('a value that holds itself many times over', () => {
  const lists = '{{ $v := list 1 }}{{ range until 40 }}{{ $v = list $v $v }}{{ end }}';
  const maps = '{{ $v := dict }}{{ range until 40 }}{{ $v = dict "a" $v "b" $v }}{{ end }}';

  it.each(['toJson $v', 'toPrettyJson $v', 'deepEqual $v $v', 'has 1 (list $v)', 'print $v'])(
    'is too large for %s',
    (call) => {
      expect(rendered(`${lists}{{ ${call} }}`)).toMatch(/^! .* allowed(?: to)?$/);
      expect(rendered(`${maps}{{ ${call} }}`)).toMatch(/^! .* allowed(?: to)?$/);
    },
  );

  it('is printed where it fits, and is no less large for holding one value again', () => {
    const times = (count: number): string =>
      `{{ $v := list 1 }}{{ range until ${count} }}{{ $v = list $v $v }}{{ end }}`;
    expect(rendered(`${times(12)}{{ print $v | len }} {{ print $v | eq (toJson $v) }}`)).toBe(
      '24573 true',
    );
    const LARGE = '! print: the rendered value is larger than allowed';
    expect(rendered(`${times(22)}{{ print $v | len }}`)).toBe(`! print: ${TOO_MUCH}`);
    expect(rendered(`${lists}{{ print $v }}`)).toBe(LARGE);
    expect(rendered(`${maps}{{ print $v }}`)).toBe(LARGE);
  });

  it('is too deep where it is held too deep', () => {
    const nested = (levels: number): string =>
      `{{ $a := list (repeat 2000 "a") }}{{ range until 600 }}{{ $a = list $a }}{{ end }}` +
      `{{ $b := $a }}{{ range until ${levels} }}{{ $b = list $b }}{{ end }}{{ print (list $a $b) | len }}`;
    expect(rendered(nested(398))).toBe('7207');
    expect(rendered(nested(399))).toBe('! print: the value is nested more than 1000 levels deep');
  });

  it('is too large to be merged', () => {
    expect(rendered(`${maps}{{ merge $v $v }}`)).toBe(`! merge: ${TOO_MUCH}`);
  });
});

describe('many short values', () => {
  it('take more than their letters', () => {
    expect(rendered('{{ until 300000 | toJson | len }}')).toBe(`! toJson: ${TOO_MUCH}`);
    expect(rendered('{{ until 10000 | toJson | len }}')).toBe('48891');
  });
});

describe('layouts of times', () => {
  it.each(['date', 'toDate', 'mustToDate', 'dateInZone'])('of %s are short', (name) => {
    const given = name.endsWith('ate') && name !== 'date' ? '"x"' : '0';
    const zone = name === 'dateInZone' ? '"Europe/Paris"' : '';
    const shown = (blanks: number): string =>
      rendered(`{{ ${name} (repeat ${blanks} " ") ${given} ${zone} | toString | empty }}`);
    expect(shown(1001)).toBe(`! ${name}: argument 1 must have at most 1000 characters`);
    expect(shown(1000)).not.toContain('at most');
  });
});

describe('patterns', () => {
  it('may have up to 1,000 characters', () => {
    expect(rendered('{{ regexMatch (repeat 1000 "a") "a" }}')).toBe('false');
    expect(rendered('{{ regexMatch (repeat 1001 "a") "a" }}')).toBe(
      '! regexMatch: the pattern is longer than 1000 characters',
    );
  });

  it('may repeat up to 10,000 steps', () => {
    expect(rendered('{{ regexMatch (repeat 9 "[a-z]{1000}") "a" }}')).toBe('false');
    expect(rendered('{{ regexMatch (repeat 11 "[a-z]{1000}") "a" }}')).toBe(
      '! regexMatch: the pattern repeats too much',
    );
  });
});

describe('deep values', () => {
  const nested = (levels: number): string =>
    `{{ $v := list }}{{ range until ${levels} }}{{ $v = list $v }}{{ end }}`;
  const TOO_DEEP = 'the value is nested more than 1000 levels deep';

  it.each(['toJson', 'toRawJson', 'toPrettyJson'])('are refused by %s', (name) => {
    expect(rendered(`${nested(900)}{{ ${name} $v | empty }}`)).toBe('false');
    expect(rendered(`${nested(1100)}{{ ${name} $v | empty }}`)).toBe(`! ${name}: ${TOO_DEEP}`);
  });

  it('are refused by what compares them', () => {
    expect(rendered(`${nested(900)}{{ deepEqual $v $v }}`)).toBe('true');
    expect(rendered(`${nested(1100)}{{ deepEqual $v $v }}`)).toBe(`! deepEqual: ${TOO_DEEP}`);
    expect(rendered(`${nested(1100)}{{ has 1 $v }}`)).toBe(`! has: ${TOO_DEEP}`);
    expect(rendered(`${nested(1100)}{{ uniq $v }}`)).toBe(`! uniq: ${TOO_DEEP}`);
  });

  it('are refused by what reads them', () => {
    const json = (levels: number): string =>
      `{{ print (repeat ${levels} "[") (repeat ${levels} "]") | mustFromJson | len }}`;
    expect(rendered(json(1000))).toBe('1');
    expect(rendered(json(1001))).toBe(`! mustFromJson: ${TOO_DEEP}`);
    expect(rendered('{{ mustFromJson (printf "%q" (repeat 5000 "[")) | len }}')).toBe('5000');
  });

  it('are refused by what merges them', () => {
    const maps = '{{ $v := dict }}{{ range until 1100 }}{{ $v = dict "a" $v }}{{ end }}';
    expect(rendered(`${maps}{{ merge $v $v | len }}`)).toBe(`! merge: ${TOO_DEEP}`);
  });
});
