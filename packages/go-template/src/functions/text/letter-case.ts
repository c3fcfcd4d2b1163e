const UPPER = /\p{Lu}/u;
const DIGIT = /\p{Nd}/u;

/** Returns a text with the case of every letter swapped. */
export const swappedCase = (text: string): string =>
  text.replace(/\p{L}/gu, (letter) =>
    UPPER.test(letter) || /\p{Lt}/u.test(letter) ? letter.toLowerCase() : letter.toUpperCase(),
  );

/** Capitalizes the first letter of every word. Letters, digits, underscores and marks continue a word. */
export const titleCase = (text: string): string =>
  text.replace(/(^|[^\p{L}\p{N}_])(\p{L})/gu, (_, before: string, letter: string) =>
    before.concat(letter.toUpperCase()),
  );

/** Converts the first letter of every word between spaces to lower case. */
export const untitleCase = (text: string): string =>
  text.replace(/(^|\s)(\S)/gu, (_, before: string, letter: string) =>
    before.concat(letter.toLowerCase()),
  );

/** Returns the first characters of all words between spaces. */
export const initialsOf = (text: string): string =>
  Array.from(text.matchAll(/(?:^|\s)(\S)/gu), ([, letter = '']) => letter).join('');

type Kind = 'upper' | 'lower' | 'digit' | 'gap';

const kindOf = (character: string): Kind => {
  if (/[\s_-]/u.test(character)) return 'gap';
  if (DIGIT.test(character)) return 'digit';
  return UPPER.test(character) ? 'upper' : 'lower';
};

/**
 * Returns whether a word starts between two characters: `aB`, `a1`, and the last capital of `HTTPServer`, since a lower-case
 * letter follows it. Letters directly after digits continue the word (`20x`), unless they start a new one (`20Ok`).
 */
const startsWord = (before: Kind, here: Kind, after: Kind | undefined): boolean => {
  if (here === 'digit') return before === 'lower' || before === 'upper';
  if (here !== 'upper' || before === 'gap') return false;
  if (before === 'lower') return true;
  return after === 'lower';
};

/** Returns a name in lower case, with a joiner for every space, hyphen and underscore, and at every other start of a word. */
export const joinedWords = (text: string, joiner: string): string => {
  const characters = Array.from(text);
  const kinds = characters.map(kindOf);
  return characters
    .map((character, index) => {
      const kind = kinds[index] ?? 'gap';
      if (kind === 'gap') return joiner;
      const starts = startsWord(kinds[index - 1] ?? 'gap', kind, kinds[index + 1]);
      return (starts ? joiner : '').concat(character.toLowerCase());
    })
    .join('');
};

/** Converts `some_words` to `SomeWords`. One space, hyphen or underscore between two words is removed; others stay. */
export const pascalCase = (text: string): string => {
  const parts = text.split(/([\s_-]+)/u);
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return capitalised(part);
      const between = parts[index - 1] !== '' && parts[index + 1] !== '';
      return between ? part.slice(1) : part;
    })
    .join('');
};

/**
 * Capitals after a capital become lower case up to the next other character: `GOLANG` is `Golang`, and `helloWorld` is
 * unchanged.
 */
const capitalised = (word: string): string => {
  const [first = '', ...others] = Array.from(word);
  const rest = others.join('');
  return first
    .toUpperCase()
    .concat(
      UPPER.test(first) ? rest.replace(/^\p{Lu}+/u, (letters) => letters.toLowerCase()) : rest,
    );
};
