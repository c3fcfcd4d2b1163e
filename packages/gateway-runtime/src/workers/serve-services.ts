import type { GatewayEvent } from '@gateway/events';
import type { ServerWriter } from '@gateway/resource-store';
import type { GatewayServices } from '../gateway-services.ts';
import { answered } from './asking.ts';
import type { TopicPort } from './channel.ts';
import type { ServicesRequest, ServicesToPrimary, ServicesToWorker } from './services-message.ts';

/** What the primary keeps for its workers, beside servers and workflows. */
export interface ServedServices {
  readonly events: GatewayServices['events'];
  readonly configuration: GatewayServices['configuration'];
  readonly refusedServers: GatewayServices['refusedServers'];
  readonly servers: ServerWriter;
}

/** Characters of events that may wait to be sent to a worker; further ones are not told. */
const MAX_UNSENT = 16 * 1024 * 1024;

/** Takes the events of a worker, tells it of all, and carries out its orders, until its channel closes. */
export function serveServices(served: ServedServices, port: TopicPort): void {
  const { events } = served;
  let unfollow = (): void => undefined;
  const tell = (message: ServicesToWorker, size: number): void => {
    port.send(message, size);
  };
  const follow = (): void => {
    unfollow();
    unfollow = events.subscribe((event) => {
      const json = JSON.stringify(event);
      if (port.unsent() + json.length <= MAX_UNSENT) tell({ kind: 'occurred', json }, json.length);
    });
  };
  port.onMessage((message) => {
    const known = message as ServicesToPrimary;
    switch (known.kind) {
      case 'emit':
        events.emit(JSON.parse(known.json) as GatewayEvent);
        break;
      case 'follow':
        follow();
        break;
      case 'unfollow':
        unfollow();
        break;
      case 'ask':
        void answered(known.id, () => answer(served, known.question)).then((told) => {
          tell({ kind: 'answer', ...told }, told.json?.length ?? 0);
        });
    }
  });
  port.onClose(() => {
    unfollow();
  });
}

const parsed = (json: string): Readonly<Record<string, unknown>> =>
  JSON.parse(json) as Readonly<Record<string, unknown>>;

async function answer(served: ServedServices, question: ServicesRequest): Promise<unknown> {
  const { events, configuration, servers } = served;
  switch (question.kind) {
    case 'create-server':
      return servers.create(parsed(question.document));
    case 'patch-server':
      return servers.patch(question.name, parsed(question.patch));
    case 'remove-server':
      return servers.remove(question.name);
    case 'aggregator':
      return configuration.aggregator();
    case 'update':
      return configuration.update(parsed(question.patch));
    case 'save':
      return configuration.save();
    case 'reload':
      return configuration.reload();
    case 'refused-servers':
      return served.refusedServers();
    case 'events':
      return events.query(question.query);
  }
}
