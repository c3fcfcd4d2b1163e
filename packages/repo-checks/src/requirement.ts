import { describe } from 'vitest';

/** Requirements of the spec that one package owns: id `<section>/<slug>` -> the requirement in one sentence. */
export type Requirements = Readonly<Record<`${number}${string}/${string}`, string>>;

/**
 * Makes the function that a package's tests use to name the requirement they prove.
 * An id that the package does not own does not compile.
 */
export const defineRequirements =
  <R extends Requirements>(owned: R) =>
  (id: keyof R & string, body: () => void): void => {
    describe(`§${id} ${String(owned[id])}`, body);
  };
