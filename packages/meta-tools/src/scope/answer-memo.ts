import type { CallResult } from '@gateway/call-contract';
import type { CatalogSnapshot, ToolSelection } from '@gateway/catalog';
import { findSourceText } from '@gateway/mcp-wire';
import type { ToolsetScope } from '../contract/meta-tool.ts';

/** Maximum number of cached answers for one snapshot. */
const MAX_ANSWERS = 512;

/** Maximum number of UTF-16 code units of the cached answers for one snapshot, their JSON included. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** The longest cached question, in UTF-16 code units. */
const MAX_KEY_CHARACTERS = 4_096;

/** The facts that an answer depends on, in addition to the snapshot and the toolset. */
export interface AnswerKey {
  readonly name: string;
  /** The arguments, read: always in one order. */
  readonly args: object;
  /** Objects that stay the same while the answer does. */
  readonly cacheDependencies: readonly unknown[];
}

interface Cached {
  readonly selection: ToolSelection | undefined;
  readonly cacheDependencies: readonly unknown[];
  readonly answer: CallResult;
  readonly characters: number;
  /** It was recalled since it was kept, or since it was passed over when room was made. */
  isUsed: boolean;
}

/** The answers about one snapshot, the oldest first. */
interface Answers {
  readonly byKey: Map<string, Cached>;
  characters: number;
}

interface Scoped {
  readonly snapshot: CatalogSnapshot;
  readonly scope: ToolsetScope | undefined;
}

/** Answers about catalogs that did not change, so that they are not made and written again. It ends with its snapshots. */
export class AnswerMemo {
  readonly #answers = new WeakMap<CatalogSnapshot, Answers>();

  /** Returns the cached answer to the same question. */
  recall(question: AnswerKey, { snapshot, scope }: Scoped): CallResult | undefined {
    const answers = this.#answers.get(snapshot);
    if (answers === undefined) return undefined;
    const key = formatKey(question, scope);
    const cached = answers.byKey.get(key);
    if (cached === undefined || cached.selection !== scope?.selection) return undefined;
    if (!hasSameItems(cached.cacheDependencies, question.cacheDependencies)) return undefined;
    cached.isUsed = true;
    return cached.answer;
  }

  /** Caches an answer within bounds. A refusal, which has no JSON of its own, is not cached, because it is reported each time. */
  keep(question: AnswerKey, { snapshot, scope }: Scoped, answer: CallResult): void {
    const key = formatKey(question, scope);
    // The text and its JSON are of about one length.
    const json = findSourceText(answer);
    const characters = key.length + 2 * (json?.length ?? 0);
    const isKept = json !== undefined && key.length <= MAX_KEY_CHARACTERS;
    if (!isKept || characters > MAX_CHARACTERS) return;
    const answers = this.#findAnswers(snapshot);
    forget(answers, key);
    const { cacheDependencies } = question;
    makeRoom(answers, characters);
    const selection = scope?.selection;
    answers.byKey.set(key, { selection, cacheDependencies, answer, characters, isUsed: false });
    answers.characters += characters;
  }

  #findAnswers(snapshot: CatalogSnapshot): Answers {
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

/**
 * Forgets the oldest answers until one more fits. One that was used since becomes the newest instead, once: to reorder the answers on each use would
 * cost every request.
 */
const makeRoom = (answers: Answers, characters: number): void => {
  const { byKey } = answers;
  for (const [key, cached] of byKey) {
    if (byKey.size < MAX_ANSWERS && answers.characters + characters <= MAX_CHARACTERS) return;
    if (!cached.isUsed) forget(answers, key);
    else {
      cached.isUsed = false;
      byKey.delete(key);
      byKey.set(key, cached);
    }
  }
};

const formatKey = ({ name, args }: AnswerKey, scope: ToolsetScope | undefined): string =>
  `${name} ${JSON.stringify(args)} ${scope === undefined ? '' : scope.toolset.text}`;

const hasSameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);
