/** The reason that a configuration cannot be changed in place. The file stays as it is. */
export type MergeRefusal =
  | { readonly code: 'too-large'; readonly max: number }
  | { readonly code: 'not-readable'; readonly format: 'JSON' | 'TOML' }
  | { readonly code: 'not-an-object'; readonly key?: string }
  | { readonly code: 'repeated-key'; readonly key: string }
  | { readonly code: 'other-form' };

/** Returns the sentence of a refusal, with the remedy. */
export const mergeRefusalText = (refusal: MergeRefusal): string => {
  switch (refusal.code) {
    case 'too-large':
      return `the file has more than ${refusal.max.toLocaleString('en')} characters: add the entry by hand`;
    case 'not-readable':
      return `the file is not valid ${refusal.format}: correct it, or add the entry by hand`;
    case 'not-an-object':
      return refusal.key === undefined
        ? 'the file is not a JSON object: correct it first'
        : `${JSON.stringify(refusal.key)} in the file is not an object: correct it first`;
    case 'repeated-key':
      return `the file has the key ${JSON.stringify(refusal.key)} more than once: remove one of them`;
    case 'other-form':
      return 'the file writes its servers in a form that cannot be changed in place: add the entry by hand';
  }
};

/** The changed text of a file, or the reason that it stays as it is. */
export type MergedConfig =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly refusal: MergeRefusal };

/** Returns a refusal as a result. */
export const notMerged = (refusal: MergeRefusal): MergedConfig => ({ ok: false, refusal });
