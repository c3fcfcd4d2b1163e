import { z } from 'zod';

type Told = Readonly<Record<string, unknown>>;

const told = (description: string, example: unknown) => ({
  description,
  ...(example !== undefined && { examples: [example] }),
});

/** A map of texts, such as labels. */
export const texts = (description: string, example?: Readonly<Record<string, string>>) =>
  z.record(z.string(), z.string()).default({}).meta(told(description, example));

/** A Kubernetes structure that is forwarded unchanged; the API server validates it. */
export const passedOn = (description: string, example?: Told) =>
  z.looseObject({}).default({}).meta(told(description, example));

/** A list of Kubernetes structures that are forwarded unchanged. */
export const passedOnList = (description: string, example?: readonly Told[]) =>
  z.array(z.looseObject({})).default([]).meta(told(description, example));

/** Compute resources of a container. */
export const resources = (defaults: {
  readonly requests: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, string>>;
}) =>
  z.looseObject({}).default(defaults).meta({ description: 'Compute resources of the container.' });
