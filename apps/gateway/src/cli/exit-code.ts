import type { Ending } from '../ending.ts';

/** Exit codes: fine, failure at run time, refused configuration or usage. */
export const EXIT: Readonly<Record<Ending, number>> = { fine: 0, failed: 1, refused: 2 };
