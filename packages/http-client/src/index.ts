export { ConnectionPool } from './connection-pool.ts';
export type { ConnectionPoolOptions } from './connection-pool.ts';
export type { ResponseHandler } from './connection.ts';
export { HttpClientError } from './http-client-error.ts';
export type { HttpClientErrorCode } from './http-client-error.ts';
export type { PooledRequest } from './pooled-request.ts';
export type { HttpRequest } from './request-head.ts';
export type { ResponseHead } from './response-head.ts';
