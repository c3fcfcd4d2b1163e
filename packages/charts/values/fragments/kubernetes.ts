import { z } from 'zod';

/** A map of texts, such as labels. */
export const texts = (description: string) =>
  z.record(z.string(), z.string()).default({}).meta({ description });

/** A Kubernetes structure that is passed on as it is; the API server judges it. */
export const passedOn = (description: string) =>
  z.looseObject({}).default({}).meta({ description });

/** A list of Kubernetes structures that are passed on as they are. */
export const passedOnList = (description: string) =>
  z.array(z.looseObject({})).default([]).meta({ description });

/** Compute resources of a container. */
export const resources = (defaults: {
  readonly requests: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, string>>;
}) =>
  z.looseObject({}).default(defaults).meta({ description: 'Compute resources of the container.' });
