import type { ConfigurationPort, CoreToolPorts } from '@gateway/core-tools';
import type { EventListener, StoredEvent } from '@gateway/events';
import type { ServerWriter } from '@gateway/resource-store';
import type { GatewayEvents } from '../local/record-events.ts';
import { Questions } from './asking.ts';
import type { TopicPort } from './channel.ts';
import type { ServicesRequest, ServicesToPrimary, ServicesToWorker } from './services-message.ts';

/** Characters of events that may wait to be sent; further ones are dropped, and what they tell of goes on. */
const MAX_UNSENT = 16 * 1024 * 1024;

/** What the primary keeps, as a worker reaches it. */
export class RemoteServices {
  readonly #port: TopicPort;
  readonly #questions: Questions<ServicesRequest>;
  readonly #listeners = new Set<EventListener>();

  constructor(port: TopicPort) {
    this.#port = port;
    this.#questions = new Questions((ask) => {
      this.#tell(ask);
    });
    port.onMessage((message) => {
      this.#take(message as ServicesToWorker);
    });
  }

  /** Events are remembered by the primary. */
  readonly events: GatewayEvents = {
    emit: (event) => {
      const json = JSON.stringify(event);
      if (this.#port.unsent() + json.length <= MAX_UNSENT)
        this.#tell({ kind: 'emit', json }, json.length);
    },
    query: (query) => this.#questions.ask({ kind: 'events', query }),
    subscribe: (listener) => this.#subscribe(listener),
  };

  /** Writes through the primary. */
  readonly servers: ServerWriter = {
    create: (document) =>
      this.#questions.ask({ kind: 'create-server', document: JSON.stringify(document) }),
    patch: (name, patch) =>
      this.#questions.ask({ kind: 'patch-server', name, patch: JSON.stringify(patch) }),
    remove: (name) => this.#questions.ask({ kind: 'remove-server', name }),
  };

  /** The configuration of the primary. */
  readonly configuration: ConfigurationPort = {
    aggregator: () => this.#questions.ask({ kind: 'aggregator' }),
    update: (patch) => this.#questions.ask({ kind: 'update', patch: JSON.stringify(patch) }),
    save: () => this.#questions.ask({ kind: 'save' }),
    reload: () => this.#questions.ask({ kind: 'reload' }),
  };

  /** What the primary could not read. */
  readonly refusedServers: CoreToolPorts['refusedServers'] = () =>
    this.#questions.ask({ kind: 'refused-servers' });

  #subscribe(listener: EventListener): () => void {
    // A listener of its own, so that one function can listen twice.
    const own: EventListener = (event) => {
      listener(event);
    };
    if (this.#listeners.size === 0) this.#tell({ kind: 'follow' });
    this.#listeners.add(own);
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0)
        this.#tell({ kind: 'unfollow' });
    };
  }

  #take(message: ServicesToWorker): void {
    switch (message.kind) {
      case 'answer':
        this.#questions.take(message);
        break;
      case 'occurred': {
        const event = JSON.parse(message.json) as StoredEvent;
        for (const listener of [...this.#listeners]) listener(event);
      }
    }
  }

  #tell(message: ServicesToPrimary, size?: number): void {
    this.#port.send(message, size);
  }
}
