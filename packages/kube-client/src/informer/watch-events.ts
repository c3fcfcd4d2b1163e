import type { IncomingMessage } from 'node:http';
import { refusalOf } from '../connection/api-response.ts';
import type { ApiFailure } from '../connection/api-result.ts';
import { MAX_WATCH_LINE_BYTES } from '../limits.ts';
import type { ApiKind } from '../objects/api-kind.ts';
import { versionedObjectOf, type VersionedObject } from '../objects/api-object.ts';
import { fieldsOf, jsonOf, textOf } from '../objects/json-fields.ts';

/** A change of an object. A deleted object is in its last version. */
export interface ObjectEvent {
  readonly kind: 'written' | 'deleted';
  readonly object: VersionedObject;
}

/** An event of a watch. A bookmark has only the position of the watch. */
export type WatchEvent =
  | ObjectEvent
  | { readonly kind: 'bookmark'; readonly revision: string }
  | { readonly kind: 'failed'; readonly failure: ApiFailure }
  | { readonly kind: 'unreadable' };

const KINDS: ReadonlyMap<unknown, 'written' | 'deleted' | 'bookmark'> = new Map([
  ['ADDED', 'written'],
  ['MODIFIED', 'written'],
  ['DELETED', 'deleted'],
  ['BOOKMARK', 'bookmark'],
]);

const eventOf = (line: string, watched: ApiKind): WatchEvent => {
  const fields = fieldsOf(jsonOf(line));
  const object = fieldsOf(fields['object']);
  if (fields['type'] === 'ERROR')
    return { kind: 'failed', failure: refusalOf(Number(object['code'] ?? 0), object) };
  const kind = KINDS.get(fields['type']);
  const revision = textOf(fieldsOf(object['metadata'])['resourceVersion']);
  if (kind === undefined || revision === undefined) return { kind: 'unreadable' };
  if (kind === 'bookmark') return { kind, revision };
  const versioned = versionedObjectOf(object, watched);
  return versioned === undefined ? { kind: 'unreadable' } : { kind, object: versioned };
};

const NEWLINE = 0x0a;

/** Yields the events of a watch. Ends with the stream; throws when the connection fails. A line that is too long is an unreadable event. */
export async function* watchEvents(
  stream: IncomingMessage,
  kind: ApiKind,
): AsyncGenerator<WatchEvent, void> {
  let pending: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...pending, rest.subarray(0, end)]).toString('utf8');
      pending = [];
      bytes = 0;
      rest = rest.subarray(end + 1);
      if (line.trim() !== '') yield eventOf(line, kind);
    }
    bytes += rest.length;
    if (bytes > MAX_WATCH_LINE_BYTES) {
      yield { kind: 'unreadable' };
      return;
    }
    pending.push(rest);
  }
}
