/** Asks one question. `more`: the next question of the same round follows at once. */
export type AskInRound = (more: boolean) => void;

/** A question that may be withdrawn before its round is complete. */
export interface RoundQuestion {
  readonly signal: AbortSignal;
  readonly ask: AskInRound;
  /** The question does not reach the caller. It is answered after the others were asked, because the answer may end the call. */
  readonly isRefused: boolean;
}

/** Collects the questions that a server asks at the same time for one call. */
export interface QuestionRounds {
  /** Asks a question together with the others of its round, unless its signal is aborted before. */
  add(callId: number, question: RoundQuestion): void;
}

const askAll = (questions: readonly RoundQuestion[]): void => {
  const open = questions.filter(({ signal }) => !signal.aborted);
  const asked = open.filter(({ isRefused }) => !isRefused);
  for (const [at, { ask }] of asked.entries()) ask(at < asked.length - 1);
  for (const { ask, isRefused } of open) if (isRefused) ask(false);
};

/**
 * Returns an empty collection. Servers of the 2025 revisions send one message per question and no message after the last one, and each
 * message may arrive separately.
 *
 * @param roundTrip sends a request to the server and resolves when the server has answered it: it has sent the questions of the
 *   round before. Must not reject, and must end within a bound.
 */
export const createQuestionRounds = (roundTrip: () => Promise<void>): QuestionRounds => {
  const open = new Map<number, RoundQuestion[]>();
  return {
    add(callId, question) {
      const round = open.get(callId);
      if (round !== undefined) {
        round.push(question);
        return;
      }
      const questions = [question];
      open.set(callId, questions);
      void roundTrip().then(() => {
        open.delete(callId);
        askAll(questions);
      });
    },
  };
};
