export { ConnectionPool } from './connection-pool.ts';
export type { ResponseHandler } from './connection.ts';
export type { PooledRequest } from './pooled-request.ts';
export type { HttpRequest } from './request-head.ts';
export type { ResponseHead } from './response-head.ts';
