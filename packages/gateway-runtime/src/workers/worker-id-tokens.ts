import type { Principal } from '@gateway/call-contract';
import type { IdTokenSource } from '@gateway/downstream-auth';
import { connectLink, serveLink, type LinkPort } from '@gateway/process-link';

type WantedIdToken = Parameters<IdTokenSource['idToken']>[1];
type IdTokenOutcome = Awaited<ReturnType<IdTokenSource['idToken']>>;

/** The ID tokens of the callers of a worker, as the primary process reads them. */
interface IdTokenContract {
  idToken(principal: Principal, wanted: WantedIdToken): Promise<IdTokenOutcome>;
}

/** Serves the ID tokens of the callers of this worker to the primary process, which sends the requests to servers. */
export const serveIdTokens = (source: IdTokenSource, port: LinkPort): void => {
  const served: IdTokenContract = {
    idToken: (principal, wanted) => source.idToken(principal, wanted),
  };
  serveLink(port, served);
};

/** Milliseconds after which a worker that does not answer counts as unavailable. */
const ANSWER_TIMEOUT_MS = 10_000;

const UNAVAILABLE: IdTokenOutcome = { ok: false, code: 'unavailable' };

/** The ID tokens of the callers of all workers. A bearer is in the memory of the workers that received it. */
export class WorkerIdTokens implements IdTokenSource {
  readonly #workers = new Set<IdTokenContract>();

  /** Adds a worker until its channel closes. */
  add(port: LinkPort): void {
    const worker = connectLink<IdTokenContract>(port, {});
    this.#workers.add(worker);
    port.onClose(() => {
      this.#workers.delete(worker);
    });
  }

  /** Returns the token that expires last, or the most specific refusal of the workers. Never rejects. */
  async idToken(principal: Principal, wanted: WantedIdToken): Promise<IdTokenOutcome> {
    const outcomes = await Promise.all(
      [...this.#workers].map((worker) => answerOf(worker.idToken(principal, wanted))),
    );
    const [latest] = outcomes
      .filter((outcome) => outcome.ok)
      .toSorted((one, other) => other.expiresAt - one.expiresAt);
    if (latest !== undefined) return latest;
    const refused = outcomes.filter((outcome) => !outcome.ok && outcome.code !== 'signed-out');
    return refused[0] ?? { ok: false, code: 'signed-out' };
  }
}

const answerOf = async (answer: Promise<IdTokenOutcome>): Promise<IdTokenOutcome> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<IdTokenOutcome>((resolve) => {
    timer = setTimeout(() => {
      resolve(UNAVAILABLE);
    }, ANSWER_TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer.catch(() => UNAVAILABLE), timeout]);
  } finally {
    clearTimeout(timer);
  }
};
