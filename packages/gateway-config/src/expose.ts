/**
 * The exposures of a gateway: `meta` exposes the meta-tools, `native` the tools, resources and prompts of its servers by name.
 */
export const EXPOSE = ['meta', 'native'] as const;

/** One of {@link EXPOSE}. */
export type Expose = (typeof EXPOSE)[number];
