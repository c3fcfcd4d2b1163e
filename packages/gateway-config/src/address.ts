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
