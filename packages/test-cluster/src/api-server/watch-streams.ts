import type { ServerResponse } from 'node:http';
import { apiListVersion, type ServedKind } from './api-object.ts';
import type { ApiServerRequest } from './api-request.ts';
import { STATUSES } from './api-status.ts';
import type { HistoryEvent, ObjectHistory } from './object-history.ts';
import { isSelected } from './selectors.ts';

/** All watches that are open. */
export class WatchStreams {
  readonly #open = new Map<ServerResponse, ServedKind>();
  readonly #history: ObjectHistory;

  constructor(history: ObjectHistory) {
    this.#history = history;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Tells what happened since the version of the request, and then what happens. */
  begin(kind: ServedKind, { namespace, query }: ApiServerRequest, response: ServerResponse): void {
    const from = Number(query.get('resourceVersion') ?? this.#history.version);
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    if (from < this.#history.oldest) {
      line(response, 'ERROR', STATUSES.tooOld(from, this.#history.oldest));
      response.end();
      return;
    }
    const tell = (event: HistoryEvent): void => {
      const { resource, object, type } = event;
      const isAsked = resource === kind.resource && object.metadata.namespace === namespace;
      if (isAsked && !response.writableEnded && isSelected(object, query))
        line(response, type, object);
    };
    this.#history.since(from).forEach(tell);
    const forget = this.#history.onEvent(tell);
    this.#open.set(response, kind);
    response.once('close', () => {
      forget();
      this.#open.delete(response);
    });
  }

  /** Tells all how far they have come. */
  bookmark(): void {
    for (const [response, kind] of this.#open)
      line(response, 'BOOKMARK', {
        apiVersion: apiListVersion(kind),
        kind: kind.kind,
        metadata: { resourceVersion: String(this.#history.version) },
      });
  }

  /** Ends all as a server does that has had enough of them. */
  end(): void {
    for (const response of this.#open.keys()) response.end();
  }

  /** Breaks the connections of all. */
  cut(): void {
    for (const response of this.#open.keys()) response.destroy();
  }
}

const line = (response: ServerResponse, type: string, object: object): void => {
  response.write(`${JSON.stringify({ type, object })}\n`);
};
