/** What the other process answered, or why there is no answer. Neither is there when there is nothing to be told. */
export interface Answer {
  readonly id: number;
  /** Values with keys of others' choice travel as JSON text. */
  readonly json?: string;
  readonly error?: string;
}

/** A question on its way. */
export interface Ask<Question> {
  readonly kind: 'ask';
  readonly id: number;
  readonly question: Question;
}

/** Questions that wait for their answers. */
export class Questions<Question> {
  readonly #tell: (ask: Ask<Question>) => void;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #nextId = 1;

  constructor(tell: (ask: Ask<Question>) => void) {
    this.#tell = tell;
  }

  /** Rejects with the reason when the other process has no answer. */
  async ask<T>(question: Question): Promise<T> {
    const id = this.#nextId++;
    const { json, error } = await new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#tell({ kind: 'ask', id, question });
    });
    if (error !== undefined) throw new Error(error);
    return (json === undefined ? undefined : JSON.parse(json)) as T;
  }

  /** Takes an answer in. */
  take(answer: Answer): void {
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }
}

/** Works an answer out. Never rejects. */
export async function answered(id: number, answer: () => Promise<unknown>): Promise<Answer> {
  try {
    const value = await answer();
    return value === undefined ? { id } : { id, json: JSON.stringify(value) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}
