/**
 * What a gateway shows its callers: the meta-tools, or the tools, resources and prompts of its servers under their own names.
 */
export const EXPOSE = ['meta', 'native'] as const;

/** One of {@link EXPOSE}. */
export type Expose = (typeof EXPOSE)[number];
