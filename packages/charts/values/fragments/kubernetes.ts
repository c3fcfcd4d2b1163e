import { z } from 'zod';

type JsonExample = Readonly<Record<string, unknown>>;

const described = (description: string, example: unknown) => ({
  description,
  ...(example !== undefined && { examples: [example] }),
});

/** A map of texts, such as labels. */
export const texts = (description: string, example?: Readonly<Record<string, string>>) =>
  z.record(z.string(), z.string()).default({}).meta(described(description, example));

/** A Kubernetes structure that is forwarded unchanged; the API server validates it. */
export const forwarded = (description: string, example?: JsonExample) =>
  z.looseObject({}).default({}).meta(described(description, example));

/** A list of Kubernetes structures that are forwarded unchanged. */
export const forwardedList = (description: string, example?: readonly JsonExample[]) =>
  z.array(z.looseObject({})).default([]).meta(described(description, example));

/** Compute resources of a container. */
export const resources = (defaults: {
  readonly requests: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, string>>;
}) =>
  z.looseObject({}).default(defaults).meta({ description: 'Compute resources of the container.' });
