import type { RouteHandler } from '@gateway/mcp-http';
import type { Gateway } from '../compose.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** What is served beside `/mcp`: is the process up, is it ready, and its metrics. */
export function routesOf(
  gateway: Pick<Gateway, 'ready'> & Pick<Metrics, 'scrape'>,
): Readonly<Record<string, RouteHandler>> {
  const json = (status: number, body: object): RouteHandler => {
    const text = JSON.stringify(body);
    return (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    };
  };
  const healthy = json(200, { status: 'ok' });
  const ready = json(200, { status: 'ready' });
  const starting = json(503, { status: 'starting' });
  return {
    '/healthz': healthy,
    '/readyz': (request, response) => {
      (gateway.ready() ? ready : starting)(request, response);
    },
    '/metrics': (_request, response) => {
      void gateway.scrape().then(
        ({ contentType, text }) =>
          response.writeHead(200, { 'content-type': contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    },
  };
}
