import type { IncomingMessage, ServerResponse } from 'node:http';

/** The text of a scrape and its content type. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

/** The state of a process that its HTTP routes report. */
export interface ProcessState {
  /** `ready` is answered with 200, everything else with 503. */
  readonly readiness: () => 'ready' | 'starting' | 'draining';
  /** Metrics in the Prometheus text format. */
  readonly scrape: () => Promise<MetricsText>;
}

type Route = (request: IncomingMessage, response: ServerResponse) => void;

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

function sendJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { ...HEADERS, 'content-type': 'application/json' })
    .end(JSON.stringify(body));
}

/** Creates the handlers of `/healthz` (the process is up), `/readyz` and `/metrics`, by path. */
export function createProcessRoutes({
  readiness,
  scrape,
}: ProcessState): Readonly<Record<'/healthz' | '/readyz' | '/metrics', Route>> {
  return {
    '/healthz': (_request, response) => {
      sendJson(response, 200, { status: 'ok' });
    },
    '/readyz': (_request, response) => {
      const status = readiness();
      sendJson(response, status === 'ready' ? 200 : 503, { status });
    },
    '/metrics': (_request, response) => {
      void scrape().then(
        ({ contentType, text }) =>
          response.writeHead(200, { ...HEADERS, 'content-type': contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    },
  };
}
