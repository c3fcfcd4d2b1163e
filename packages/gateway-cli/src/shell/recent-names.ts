import type { NameQuestion } from './complete-line.ts';

/** How long names are offered without another request, in milliseconds. */
const KEPT_MS = 5_000;

/** How long a completion waits for names, in milliseconds. */
const WAIT_MS = 2_000;

const MAX_ANSWERS = 16;

interface Answer {
  readonly at: number;
  readonly names: Promise<readonly string[]>;
}

/** Sources of {@link recentNames}. */
export interface NameSources {
  readonly read: (question: NameQuestion) => Promise<readonly string[]>;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
}

/** Returns a function that reads names and keeps them for 5 seconds. It returns none when they cannot be read within 2 seconds. */
export function recentNames({
  read,
  now,
}: NameSources): (question: NameQuestion) => Promise<readonly string[]> {
  const answers = new Map<string, Answer>();
  return (question) => {
    const key = JSON.stringify([question.kind, question.configDir, question.owner]);
    const kept = answers.get(key);
    if (kept !== undefined && now() - kept.at < KEPT_MS) return withinLimit(kept.names);
    if (answers.size >= MAX_ANSWERS) answers.clear();
    const names = read(question).catch(() => []);
    answers.set(key, { at: now(), names });
    return withinLimit(names);
  };
}

async function withinLimit(names: Promise<readonly string[]>): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const none = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS, []);
  });
  try {
    return await Promise.race([names, none]);
  } finally {
    clearTimeout(timer);
  }
}
