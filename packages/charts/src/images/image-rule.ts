import type { Dockerfile, Stage } from './dockerfile.ts';

/** Facts that an image must match. */
export interface ImageFacts {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly license: string;
  /** Default port of the application. */
  readonly port: number;
  /** Default ports of the application next to {@link port}. */
  readonly furtherPorts: readonly number[];
  /** Pinned pnpm version, such as `10.34.8`. */
  readonly pnpm: string;
  /** The patterns of `.dockerignore`. */
  readonly ignored: readonly string[];
}

/** A Dockerfile with its stages and the last stage. */
export interface Image extends Dockerfile {
  readonly final: Stage;
}

/** Returns the problems of an image, one sentence each. */
export type ImageRule = (image: Image, facts: ImageFacts) => readonly string[];

/** Returns the Dockerfile as an image; without `FROM` the final stage is empty. */
export const imageOf = (dockerfile: Dockerfile): Image => ({
  ...dockerfile,
  final: dockerfile.stages.at(-1) ?? { name: '', base: '', instructions: [] },
});

/** Returns the problem unless the condition is true. */
export const unless = (holds: boolean, problem: string): readonly string[] =>
  holds ? [] : [problem];
