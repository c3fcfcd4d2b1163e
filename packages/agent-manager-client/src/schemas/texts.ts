import * as z from 'zod';

/** An optional text with what it is about. */
export const text = (description: string) => z.string().optional().meta({ description });

/** Texts by key. */
export const textMap = (description: string) =>
  z.record(z.string(), z.string()).optional().meta({ description });
