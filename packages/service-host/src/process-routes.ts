import type { IncomingMessage, ServerResponse } from 'node:http';

/** The interval at which the default metrics sample the event loop. Each sample wakes the process; the library's default is 10. */
export const EVENT_LOOP_INTERVAL_MS = 100;

/** The text of a scrape and its content type. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

/** The state of a process for its callers. */
export interface Readiness {
  /** `ready` is answered with 200, everything else with 503. */
  readonly status: 'ready' | 'starting' | 'draining';
  /** Names of the parts that are not available; the answer omits an empty list. */
  readonly missing?: readonly string[];
}

/** The state of a process that its HTTP routes report. */
export interface ProcessState {
  readonly readiness: () => Readiness;
  /** Returns why a request for the metrics is refused with 403; `undefined` for an allowed one. */
  readonly refuseMetrics?: (request: IncomingMessage) => string | undefined;
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
  refuseMetrics,
  scrape,
}: ProcessState): Readonly<Record<'/healthz' | '/readyz' | '/metrics', Route>> {
  return {
    '/healthz': (_request, response) => {
      sendJson(response, 200, { status: 'ok' });
    },
    '/readyz': (_request, response) => {
      const { status, missing = [] } = readiness();
      const body = missing.length === 0 ? { status } : { status, missing };
      sendJson(response, status === 'ready' ? 200 : 503, body);
    },
    '/metrics': (request, response) => {
      const error = refuseMetrics?.(request);
      if (error === undefined) sendMetrics(response, scrape);
      else sendJson(response, 403, { error });
    },
  };
}

function sendMetrics(response: ServerResponse, scrape: ProcessState['scrape']): void {
  void scrape().then(
    ({ contentType, text }) =>
      response.writeHead(200, { ...HEADERS, 'content-type': contentType }).end(text),
    () => response.writeHead(500).end(),
  );
}
