const WORD = / *((?:'[^']*'|"[^"$`\\]*"|[\w@%+=:,./*?[\]{}-])+)/uy;
const QUOTED = /'[^']*'|"[^"]*"/gu;

const isPattern = (word: string): boolean => /[*?[\]{}]/u.test(word.replaceAll(QUOTED, ''));

/** The words of a command as a shell takes them; `undefined` for one that needs a shell: pipes, variables, patterns, several lines. */
export function shellWords(command: string): readonly string[] | undefined {
  const words: string[] = [];
  let at = 0;
  while (at < command.length) {
    WORD.lastIndex = at;
    const word = WORD.exec(command)?.[1];
    if (word === undefined || isPattern(word)) return undefined;
    words.push(word.replaceAll(QUOTED, (quoted) => quoted.slice(1, -1)));
    at = WORD.lastIndex;
  }
  return words;
}
