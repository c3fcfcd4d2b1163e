import type { TextCheck } from '../fields/copy-json.ts';

/** What is wrong with a text that may be a template, with the place inside it. @spec §2.7 */
export const templateCheck: TextCheck = () => undefined;

/** What is wrong with a key of `jsonPath`: a path, or a template over `.result`. @spec §2.7 jsonPath */
export const resultPathCheck: TextCheck = () => undefined;
