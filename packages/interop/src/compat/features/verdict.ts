import { Absent } from '../drivers/driver.ts';

/** The result of one feature. */
export type Verdict =
  | { readonly kind: 'works'; readonly detail?: string }
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'fails'; readonly problem: string };

/** The longest problem that is recorded. */
const MAX_CHARACTERS = 400;

/** Fails a feature. */
export function expectThat(holds: boolean, problem: string, seen?: unknown): void {
  if (!holds) throw new Error(seen === undefined ? problem : `${problem}: ${JSON.stringify(seen)}`);
}

/**
 * Runs a feature to its verdict.
 *
 * @param run resolves to a remark, or to nothing; rejects with {@link Absent} or any other error
 */
export async function verdictOf(
  run: () => Promise<string | undefined>,
  withinMs: number,
): Promise<Verdict> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no end within ${String(withinMs / 1_000)} s`));
    }, withinMs);
  });
  try {
    const detail = await Promise.race([run(), timeout]);
    return { kind: 'works', ...(detail !== undefined && { detail }) };
  } catch (error) {
    if (error instanceof Absent) return { kind: 'absent', reason: error.message };
    const text = error instanceof Error ? error.message : String(error);
    return { kind: 'fails', problem: text.slice(0, MAX_CHARACTERS) };
  } finally {
    clearTimeout(timer);
  }
}
