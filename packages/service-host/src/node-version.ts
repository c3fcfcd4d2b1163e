/** A feature that needs a newer Node than the program that offers it. */
export interface NodeRequirement {
  /** As users know it, for example `` `--trace` ``. */
  readonly feature: string;
  /** The first release that can run the feature, for example `22.13.0`. */
  readonly minimum: string;
}

/** The first release of Node that the programs run on, as `engines` in their manifests says. */
export const OLDEST_NODE = '22.19.0';

const numbersOf = (version: string): readonly number[] => version.split('.').map(Number);

/**
 * Returns why this Node cannot run a feature, in one sentence, or undefined when it can. A program refuses to start with this
 * sentence when such a feature is configured.
 *
 * @param version of the running Node
 */
export function validateNodeVersion(
  { feature, minimum }: NodeRequirement,
  version: string = process.versions.node,
): string | undefined {
  const [running, needed] = [numbersOf(version), numbersOf(minimum)];
  const different = needed.findIndex((number, at) => running[at] !== number);
  if (different < 0 || (running[different] ?? 0) > (needed[different] ?? 0)) return undefined;
  return `${feature} needs Node ${minimum} or later, this is Node ${version}; start the program with a newer Node`;
}
