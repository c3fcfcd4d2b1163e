import type { CatalogSnapshot, ToolSelection } from '@gateway/catalog';
import type { MetaToolAnswer } from '../contract/meta-tool.ts';
import type { RequestScope } from '../contract/request-scope.ts';

/** Maximum number of cached answers for one snapshot. */
const MAX_ANSWERS = 512;

/** Maximum number of UTF-16 code units of the cached answers for one snapshot, their JSON included. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** The longest cached question, in UTF-16 code units. */
const MAX_KEY_CHARACTERS = 4_096;

/** The facts that an answer depends on, in addition to the snapshot and the toolset. */
export interface Question {
  readonly name: string;
  /** The arguments, read: always in one order. */
  readonly args: object;
  /** Objects that stay the same while the answer does. */
  readonly grounds: readonly unknown[];
}

interface Cached {
  readonly selection: ToolSelection | undefined;
  readonly grounds: readonly unknown[];
  readonly answer: MetaToolAnswer;
  readonly characters: number;
}

/** The answers about one snapshot, the least recently used first. */
interface Answers {
  readonly byKey: Map<string, Cached>;
  characters: number;
}

interface Scoped {
  readonly snapshot: CatalogSnapshot;
  readonly scope: RequestScope | undefined;
}

/** Answers about catalogs that did not change, so that they are not made and written again. It ends with its snapshots. */
export class AnswerMemo {
  readonly #answers = new WeakMap<CatalogSnapshot, Answers>();

  /** Returns the cached answer to the same question. */
  recall(question: Question, { snapshot, scope }: Scoped): MetaToolAnswer | undefined {
    const answers = this.#answers.get(snapshot);
    if (answers === undefined) return undefined;
    const key = keyOf(question, scope);
    const cached = answers.byKey.get(key);
    if (cached === undefined || cached.selection !== scope?.selection) return undefined;
    if (!sameGrounds(cached.grounds, question.grounds)) return undefined;
    answers.byKey.delete(key);
    answers.byKey.set(key, cached);
    return cached.answer;
  }

  /** Caches an answer within bounds. A refusal, which has no JSON of its own, is not cached, because it is reported each time. */
  keep(question: Question, { snapshot, scope }: Scoped, answer: MetaToolAnswer): void {
    const key = keyOf(question, scope);
    // The text and its JSON are of about one length.
    const characters = key.length + 2 * (answer.json?.length ?? 0);
    const isKept = answer.json !== undefined && key.length <= MAX_KEY_CHARACTERS;
    if (!isKept || characters > MAX_CHARACTERS) return;
    const answers = this.#answersOf(snapshot);
    forget(answers, key);
    const { grounds } = question;
    answers.byKey.set(key, { selection: scope?.selection, grounds, answer, characters });
    answers.characters += characters;
    forgetOldest(answers);
  }

  #answersOf(snapshot: CatalogSnapshot): Answers {
    const known = this.#answers.get(snapshot);
    if (known !== undefined) return known;
    const answers = { byKey: new Map<string, Cached>(), characters: 0 };
    this.#answers.set(snapshot, answers);
    return answers;
  }
}

const forget = (answers: Answers, key: string): void => {
  answers.characters -= answers.byKey.get(key)?.characters ?? 0;
  answers.byKey.delete(key);
};

const forgetOldest = (answers: Answers): void => {
  for (const key of answers.byKey.keys()) {
    if (answers.byKey.size <= MAX_ANSWERS && answers.characters <= MAX_CHARACTERS) return;
    forget(answers, key);
  }
};

const keyOf = ({ name, args }: Question, scope: RequestScope | undefined): string =>
  `${name} ${JSON.stringify(args)} ${scope === undefined ? '' : scope.toolset.text}`;

const sameGrounds = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((basis, index) => basis === b[index]);
