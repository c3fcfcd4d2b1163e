import type { ServerResponse } from 'node:http';
import type { ServedKind } from './api-object.ts';
import type { ApiServerRequest } from './api-request.ts';
import type { HistoryEvent, ObjectHistory } from './object-history.ts';
import { isSelected } from './selectors.ts';

/** The open watches. */
export class WatchStreams {
  readonly #open = new Set<ServerResponse>();
  readonly #history: ObjectHistory;

  constructor(history: ObjectHistory) {
    this.#history = history;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Opens a watch: sends the changes since the version of the request, then every further change. */
  begin(kind: ServedKind, { namespace, query }: ApiServerRequest, response: ServerResponse): void {
    const from = Number(query.get('resourceVersion') ?? this.#history.version);
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    const send = (event: HistoryEvent): void => {
      const { resource, object, type } = event;
      const isInside = namespace === '' || object.metadata.namespace === namespace;
      const isRequested = resource === kind.resource && isInside;
      if (isRequested && !response.writableEnded && isSelected(object, query))
        line(response, type, object);
    };
    this.#history.since(from).forEach(send);
    const unsubscribe = this.#history.onEvent(send);
    this.#open.add(response);
    response.once('close', () => {
      unsubscribe();
      this.#open.delete(response);
    });
  }

  /** Ends every watch regularly, as a server does after a timeout. */
  end(): void {
    for (const response of this.#open) response.end();
  }

  /** Destroys the connections of every watch. */
  cut(): void {
    for (const response of this.#open) response.destroy();
  }
}

const line = (response: ServerResponse, type: string, object: object): void => {
  response.write(`${JSON.stringify({ type, object })}\n`);
};
