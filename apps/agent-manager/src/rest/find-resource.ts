import { findOperation, type FoundOperation } from '@gateway/agent-manager-client';
import type { Document, Documents } from './documents.ts';

/** An operation with what its request says outside of the body. */
export type FoundOperationCall = Extract<FoundOperation, { readonly kind: 'operation' }> & {
  /** What follows the question mark, encoded. */
  readonly query: string;
};

/** What a request asks for. */
export type FoundResource =
  | FoundOperationCall
  | { readonly kind: 'document'; readonly document: Document }
  /** `allow`: the methods that are taken here, sorted. */
  | { readonly kind: 'method'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown'; readonly pathname: string };

/** Finds an operation or a document. What can be read by `GET` can be asked for by `HEAD`. RFC 9110 §9.3.2 */
export function findResource(
  documents: Documents,
  { method, url }: { readonly method: string; readonly url: string },
): FoundResource {
  const question = url.indexOf('?');
  const pathname = question === -1 ? url : url.slice(0, question);
  const query = question === -1 ? '' : url.slice(question + 1);
  const asked = method === 'HEAD' ? 'GET' : method;
  const document = documents.get(pathname);
  if (document !== undefined)
    return asked === 'GET' ? { kind: 'document', document } : { kind: 'method', allow: READABLE };
  const found = findOperation(asked, pathname);
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
