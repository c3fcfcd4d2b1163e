import type { Metrics } from './metrics.ts';

/** Listeners of an HTTP endpoint. */
export interface EndpointListeners {
  /** A request was refused for a reason of the endpoint, such as a limit. */
  readonly onRefusal: (code: string) => void;
  /** A response was sent, or its request ended before there was one. */
  readonly onRequest: (request: { readonly status: number | undefined }) => void;
}

/** Counts the refusals and responses of an endpoint. */
export const measureEndpoint = ({
  requestRefused,
  httpAnswered,
}: Pick<Metrics, 'requestRefused' | 'httpAnswered'>): EndpointListeners => ({
  onRefusal: requestRefused,
  onRequest: ({ status }) => {
    if (status !== undefined) httpAnswered(status);
  },
});
