import type { Dockerfile, Stage } from './dockerfile.ts';

/** What an image has to agree with. */
export interface ImageFacts {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly license: string;
  /** The port that the app listens on unless it is told another. */
  readonly port: number;
  /** The pnpm that the workspace pins, as `10.34.8`. */
  readonly pnpm: string;
  /** The patterns of `.dockerignore`. */
  readonly ignored: readonly string[];
}

/** A Dockerfile with what its rules ask for most: its stages, and the last one. */
export interface Image extends Dockerfile {
  readonly final: Stage;
}

/** Says what is wrong with an image, one sentence for each problem. */
export type ImageRule = (image: Image, facts: ImageFacts) => readonly string[];

/** The Dockerfile as an image; one without any `FROM` has an empty final stage. */
export const imageOf = (dockerfile: Dockerfile): Image => ({
  ...dockerfile,
  final: dockerfile.stages.at(-1) ?? { name: '', base: '', instructions: [] },
});

/** The problem where the condition does not hold. */
export const unless = (holds: boolean, problem: string): readonly string[] =>
  holds ? [] : [problem];
