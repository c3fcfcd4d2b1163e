import { findOperation, type FoundOperation } from '@gateway/agent-manager-client';
import type { DocumentOf, Documents } from './documents.ts';

/** An operation with the path and query arguments of its request. */
export type FoundOperationCall = Extract<FoundOperation, { readonly kind: 'operation' }> & {
  /** The encoded query, without the question mark. */
  readonly query: string;
};

/** The target of a request. */
export type FoundRoute =
  | FoundOperationCall
  | { readonly kind: 'document'; readonly document: DocumentOf }
  /** `allow`: the supported methods, sorted. */
  | { readonly kind: 'method'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown'; readonly pathname: string };

/** Finds the operation or document of a request. `HEAD` is supported where `GET` is. RFC 9110 §9.3.2 */
export function findRoute(
  documents: Documents,
  { method, url }: { readonly method: string; readonly url: string },
): FoundRoute {
  const queryStart = url.indexOf('?');
  const pathname = queryStart === -1 ? url : url.slice(0, queryStart);
  const query = queryStart === -1 ? '' : url.slice(queryStart + 1);
  const effectiveMethod = method === 'HEAD' ? 'GET' : method;
  const document = documents.get(pathname);
  if (document !== undefined)
    return effectiveMethod === 'GET'
      ? { kind: 'document', document }
      : { kind: 'method', allow: READABLE };
  const found = findOperation(effectiveMethod, pathname);
  switch (found.kind) {
    case 'operation':
      return { ...found, query };
    case 'method':
      return { kind: 'method', allow: withHead(found.allow) };
    case 'unknown':
      return { kind: 'unknown', pathname };
  }
}

const withHead = (allow: readonly string[]): readonly string[] =>
  allow.includes('GET') ? [...allow, 'HEAD'].toSorted() : allow;

const READABLE = withHead(['GET']);
