const UPPER = /\p{Lu}/u;
const DIGIT = /\p{Nd}/u;

/** Every letter in the other case. */
export const swappedCase = (text: string): string =>
  text.replace(/\p{L}/gu, (letter) =>
    UPPER.test(letter) || /\p{Lt}/u.test(letter) ? letter.toLowerCase() : letter.toUpperCase(),
  );

/** The first letter of every word in capitals. Letters, digits, underscores and marks continue a word. */
export const titleCase = (text: string): string =>
  text.replace(/(^|[^\p{L}\p{N}_])(\p{L})/gu, (_, before: string, letter: string) =>
    before.concat(letter.toUpperCase()),
  );

/** The first letter of every word between spaces in small letters. */
export const untitleCase = (text: string): string =>
  text.replace(/(^|\s)(\S)/gu, (_, before: string, letter: string) =>
    before.concat(letter.toLowerCase()),
  );

/** The first characters of all words between spaces. */
export const initialsOf = (text: string): string =>
  Array.from(text.matchAll(/(?:^|\s)(\S)/gu), ([, letter = '']) => letter).join('');

type Kind = 'upper' | 'lower' | 'digit' | 'gap';

const kindOf = (character: string): Kind => {
  if (/[\s_-]/u.test(character)) return 'gap';
  if (DIGIT.test(character)) return 'digit';
  return UPPER.test(character) ? 'upper' : 'lower';
};

/**
 * Whether a word starts between two characters: `aB`, `a1`, and the last capital of `HTTPServer`, since a small letter follows it.
 * Letters right after digits continue the word (`20x`), unless they start one of their own (`20Ok`).
 */
const startsWord = (before: Kind, here: Kind, after: Kind | undefined): boolean => {
  if (here === 'digit') return before === 'lower' || before === 'upper';
  if (here !== 'upper' || before === 'gap') return false;
  if (before === 'lower') return true;
  return after === 'lower';
};

/** A name in small letters, with a joiner for every space, hyphen and underscore, and one at every other start of a word. */
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

/** `some_words` as `SomeWords`. Between two words one space, hyphen or underscore goes; others stay. */
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

/** After a capital more of them become small, up to the first other character: `GOLANG` is `Golang`, and `helloWorld` keeps its own. */
const capitalised = (word: string): string => {
  const [first = '', ...others] = Array.from(word);
  const rest = others.join('');
  return first
    .toUpperCase()
    .concat(
      UPPER.test(first) ? rest.replace(/^\p{Lu}+/u, (letters) => letters.toLowerCase()) : rest,
    );
};
