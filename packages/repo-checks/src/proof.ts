import { moduleFacts } from './module-facts.ts';

/** A test file that proves a requirement by `requirement('<id>', ...)`. */
export interface Proof {
  readonly id: string;
  readonly file: string;
}

/** Returns the ids that one test file proves, each once. Calls are parsed: a comment or a text proves nothing. */
export const proofsIn = (file: string, text: string): readonly Proof[] =>
  /\.test\.tsx?$/.test(file) && text.includes('requirement(')
    ? [...moduleFacts(file, text).requirements.keys()].map((id) => ({ id, file }))
    : [];
