/** A listen address. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The address of a gateway without `http.host` and `http.port`. */
export const DEFAULT_ADDRESS: Address = { host: '127.0.0.1', port: 8090 };

/** The port of `/healthz`, `/readyz` and `/metrics` without `health.port`. */
export const DEFAULT_HEALTH_PORT = 9464;

/** The highest port number. */
export const MAX_PORT = 65_535;

/** The MCP endpoint at {@link DEFAULT_ADDRESS}. */
export const DEFAULT_ENDPOINT = `http://${DEFAULT_ADDRESS.host}:${DEFAULT_ADDRESS.port.toString()}/mcp`;

/**
 * The exposures of a gateway: `meta` exposes the meta-tools, `native` the tools, resources and prompts of its servers by name.
 */
export const EXPOSE = ['meta', 'native'] as const;

/** Header of a request with the value `meta`: it uses the meta-tools of a gateway that exposes its servers natively. */
export const EXPOSE_HEADER = 'X-Gateway-Expose';

/** One of {@link EXPOSE}. */
export type Expose = (typeof EXPOSE)[number];

/** Which core tools that write are permitted: `all`, those for definitions of workflows, or `none`. */
export const CORE_TOOL_WRITES = ['all', 'workflows', 'none'] as const;

/** One of {@link CORE_TOOL_WRITES}. */
export type CoreToolWrites = (typeof CORE_TOOL_WRITES)[number];
