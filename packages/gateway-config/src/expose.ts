/**
 * The exposures of a gateway: `meta` exposes the meta-tools, `native` the tools, resources and prompts of its servers by name.
 */
export const EXPOSE = ['meta', 'native'] as const;

/** Header of a request with the value `meta`: it uses the meta-tools of a gateway that exposes its servers natively. */
export const EXPOSE_HEADER = 'X-Gateway-Expose';

/** One of {@link EXPOSE}. */
export type Expose = (typeof EXPOSE)[number];

const EXPOSE_HEADER_KEY = EXPOSE_HEADER.toLowerCase();

/**
 * Returns the exposure that a request uses: that of the gateway, or the meta-tools when its header names them.
 *
 * @param header returns the lines of a header by its name in lower case
 */
export const resolveExposure = (
  expose: Expose,
  header: (name: string) => readonly string[] | undefined,
): Expose => {
  if (expose === 'meta') return expose;
  const lines = header(EXPOSE_HEADER_KEY);
  return lines?.length === 1 && lines[0]?.trim() === 'meta' ? 'meta' : expose;
};

/** Which core tools that write are permitted: `all`, those for definitions of workflows, or `none`. */
export const CORE_TOOL_WRITES = ['all', 'workflows', 'none'] as const;

/** One of {@link CORE_TOOL_WRITES}. */
export type CoreToolWrites = (typeof CORE_TOOL_WRITES)[number];
