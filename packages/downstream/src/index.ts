export type { DownstreamError, DownstreamOutcome, RequestOptions } from './call.ts';
