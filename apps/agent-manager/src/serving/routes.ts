import type { RouteHandler } from '@gateway/mcp-http';
import type { Metrics } from '../metrics/metrics.ts';

/** What is told of the process. */
export interface ProcessState extends Pick<Metrics, 'scrape'> {
  readonly isDraining: () => boolean;
}

const PLAIN = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

const json = (status: number, body: object): RouteHandler => {
  const text = JSON.stringify(body);
  return (_request, response) => {
    response.writeHead(status, { ...PLAIN, 'content-type': 'application/json' }).end(text);
  };
};

/** What is served beside the faces: is the process up, does it take requests, and its metrics. */
export function routesOf({
  isDraining,
  scrape,
}: ProcessState): Readonly<Record<string, RouteHandler>> {
  const ready = json(200, { status: 'ready' });
  const draining = json(503, { status: 'draining' });
  return {
    '/healthz': json(200, { status: 'ok' }),
    '/readyz': (request, response) => {
      (isDraining() ? draining : ready)(request, response);
    },
    '/metrics': (_request, response) => {
      void scrape().then(
        ({ contentType, text }) =>
          response.writeHead(200, { ...PLAIN, 'content-type': contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    },
  };
}
