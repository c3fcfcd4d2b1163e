import { raceLimit } from '@gateway/call-contract';
import {
  formatLineName,
  type NameKind,
  type TreeCommand,
  type TreeOption,
  listNextWords,
} from '../completion/command-tree.ts';
import { type OpenEnd, OUTSIDE_COMMANDS, splitLine } from './lines.ts';

const SPECIAL = /[\s'"\\#]/gu;

/** Returns a word as it is written in a line, continuing the quote with which it starts, if any. */
export function quoteWord(word: string, open: OpenEnd | undefined): string {
  switch (open) {
    case 'single quote':
      return `'${word.replaceAll("'", "'\\''")}'`;
    case 'double quote':
      return `"${word.replaceAll(/["\\$`]/gu, '\\$&')}"`;
    case 'backslash':
    case undefined:
      return word.replaceAll(SPECIAL, '\\$&');
  }
}

type ShellNameKind = NameKind | 'presets';

export interface NameQuestion {
  readonly kind: ShellNameKind;
  readonly configDir?: string;
  readonly owner?: string;
}

/** Words of the shell itself. */
const SHELL_WORDS = ['help', 'exit'] as const;

const MAX_COMPLETIONS = 1_000;

const UNPRINTABLE = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u;

interface Place {
  readonly command: TreeCommand;
  readonly option?: TreeOption;
  readonly configDir?: string;
  readonly operand?: string;
}

const withWord = (place: Place, word: string): Place => {
  const { option, command, ...rest } = place;
  if (option !== undefined)
    return { ...rest, command, ...(option.flag === '--config-dir' && { configDir: word }) };
  const next = command.commands.find(({ name }) => name === word);
  const isOperand = next === undefined && place.operand === undefined && !word.startsWith('-');
  const found = next ?? command;
  const valued = found.options.find(({ flag, value }) => flag === word && value.kind !== 'none');
  return {
    ...rest,
    command: found,
    ...(isOperand && { operand: word }),
    ...(valued && { option: valued }),
  };
};

const resolvePlace = (tree: TreeCommand, words: readonly string[]): Place =>
  (words[0] === tree.name ? words.slice(1) : words).reduce<Place>(withWord, { command: tree });

function nameKindAt({ command, option, operand }: Place): ShellNameKind | undefined {
  if (option !== undefined) return option.flag === '--toolset' ? 'presets' : undefined;
  return command.path.endsWith(' toolset explain') ? 'presets' : listNames(command, operand);
}

const listNames = (
  { names, argumentNames }: TreeCommand,
  operand: string | undefined,
): NameKind | undefined => (operand === undefined ? names : (argumentNames ?? names));

function listStaticWords(tree: TreeCommand, { command, option }: Place): readonly string[] {
  if (option !== undefined) return option.value.kind === 'choice' ? option.value.choices : [];
  const words = listNextWords(command).map(({ word }) => word);
  if (command !== tree) return words;
  return [...words.filter((word) => !OUTSIDE_COMMANDS.has(word)), ...SHELL_WORDS];
}

/** Options are offered once a dash is typed. */
const isOffered = (word: string, typed: string): boolean =>
  word.startsWith(typed) && (typed.startsWith('-') || !word.startsWith('-'));

/** The value follows the name of an argument without a space. */
const withSpace = (word: string): string => (word.endsWith('=') ? word : `${word} `);

/**
 * Returns the completions of the last word of a line, written as in the line, and the part of the line that they replace.
 *
 * @param line the text before the cursor
 * @param namesFor returns the names of a kind; it must not reject
 */
export async function completeLine(
  tree: TreeCommand,
  line: string,
  namesFor: (question: NameQuestion) => Promise<readonly string[]>,
): Promise<[string[], string]> {
  const { words, open, isComment } = splitLine(line);
  if (isComment || open === 'backslash') return [[], line];
  const last = words.findLast(({ end }) => end === line.length);
  const before = words.filter((word) => word !== last).map(({ text }) => text);
  const place = resolvePlace(tree, before);
  const { text: typed, start } = last ?? { text: '', start: line.length };
  const written = line.slice(start);
  const known = [
    ...listStaticWords(tree, place),
    ...(await listPlaceNames(place, typed, namesFor)),
  ];
  const completions = known
    .filter((word) => isOffered(word, typed) && !UNPRINTABLE.test(word))
    .map((word) => quoteWord(word, open))
    .filter((word) => word.startsWith(written));
  const found = [...new Set(completions)].slice(0, MAX_COMPLETIONS);
  return [found.length === 1 ? found.map(withSpace) : found, written];
}

async function listPlaceNames(
  place: Place,
  typed: string,
  namesFor: (question: NameQuestion) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const kind = nameKindAt(place);
  if (kind === undefined || typed.startsWith('-')) return [];
  const { configDir, operand: owner } = place;
  const names = await namesFor({
    kind,
    ...(configDir !== undefined && { configDir }),
    ...(kind === place.command.argumentNames && owner !== undefined && { owner }),
  });
  return names.map((name) => (kind === 'presets' ? `preset:${name}` : formatLineName(kind, name)));
}

/** How long names are offered without another request, in milliseconds. */
const KEPT_MS = 5_000;

const WAIT_MS = 2_000;

const MAX_ANSWERS = 16;

interface HttpAnswer {
  readonly at: number;
  readonly names: Promise<readonly string[]>;
}

interface NameSources {
  readonly read: (question: NameQuestion) => Promise<readonly string[]>;
  readonly now: () => number;
}

/** Returns a function that reads names and keeps them for 5 seconds. It returns none when they cannot be read within 2 seconds. */
export function createNameReader({
  read,
  now,
}: NameSources): (question: NameQuestion) => Promise<readonly string[]> {
  const answers = new Map<string, HttpAnswer>();
  return (question) => {
    const key = JSON.stringify([question.kind, question.configDir, question.owner]);
    const kept = answers.get(key);
    if (kept !== undefined && now() - kept.at < KEPT_MS) return limitWait(kept.names);
    if (answers.size >= MAX_ANSWERS) answers.clear();
    const names = read(question).catch(() => []);
    answers.set(key, { at: now(), names });
    return limitWait(names);
  };
}

const limitWait = (names: Promise<readonly string[]>): Promise<readonly string[]> =>
  raceLimit(names, { ms: WAIT_MS }, () => []);
