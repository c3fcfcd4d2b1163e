import type { PathStep } from '../tree/path.ts';

/** The punctuation tokens. */
export type Mark = '|' | '(' | ')' | ',' | ':=' | '=';

/** The content of a token. */
export type TokenContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'left' }
  | { readonly kind: 'right' }
  | { readonly kind: 'dot' }
  /** `.name`, `[0]`, `["name"]`. */
  | { readonly kind: 'step'; readonly step: PathStep }
  /** With its `$`. */
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'literal'; readonly value: number | string }
  | { readonly kind: 'mark'; readonly mark: Mark }
  | { readonly kind: 'eof' };

/** A piece of a template's text, from `at` up to but not including `end`. */
export type Token = TokenContent & {
  readonly at: number;
  readonly end: number;
  /** True when it follows the preceding token without a blank. */
  readonly glued: boolean;
};
